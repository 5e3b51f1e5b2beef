"""The public sets of judgements, every one of them read or counted.

The numbers are those that the sets' own documentation and a count of their lines give.
"""

import json
import tarfile
from collections import Counter
from pathlib import PurePosixPath

import pytest
from rdflib import RDFS, Graph, URIRef

from evaluator.datasets import factbench, google_re, reverb_mturk
from evaluator.labels.agreement import average_pairwise_agreement
from evaluator.labels.label import majority, ratings, read_labels, write_labels
from evaluator.model import Rejects


@pytest.fixture(scope="module")
def names(data):
    entities = json.loads((data / "fb15k237" / "entity2wikidata.json").read_text("utf-8"))
    return {entity: record["label"] for entity, record in entities.items()}


def test_google_facts_are_all_read_or_counted(data, names):
    rejects = Rejects()
    labels = google_re.read_labels(data / "google_re", names, rejects=rejects)
    without_name = rejects.counts["object without a name"]
    judgements = rejects.total - without_name + len(labels)
    assert judgements == 5 * (3042 - without_name)
    assert set(rejects.counts) == {"skip", "object without a name", "labelled twice by one rater"}
    assert {label.r for label in labels} == {"died in"}
    # Joel Hedgpeth, the third record: five raters say that he died in Hillsboro, Oregon.
    if "/m/0zgfm" in names:
        hedgpeth = [label for label in labels if label.e1 == "Joel Hedgpeth"]
        assert [label.label for label in hedgpeth] == [True] * 5


def test_google_judgements_survive_a_sheet(data, names, tmp_path):
    labels = google_re.read_labels(data / "google_re", names, rejects=Rejects())
    write_labels(tmp_path / "google.tsv", labels)
    assert read_labels(tmp_path / "google.tsv", rejects=Rejects()) == labels


@pytest.mark.parametrize(
    ("part", "facts", "correct", "without_judgment"),
    [("train", 1832, 4028, 22), ("test", 2000, 3412, 26)],
)
def test_reverb_judgements_are_all_read_or_counted(data, part, facts, correct, without_judgment):
    rejects = Rejects()
    labels = reverb_mturk.read_labels(data / "reverb_mturk", part, rejects=rejects)
    repeated = rejects.counts.get("labelled twice by one rater", 0)
    assert len(labels) + rejects.total == 6000
    assert rejects.counts["no judgment"] == without_judgment
    assert correct - repeated <= Counter(label.label for label in labels)[True] <= correct
    assert len(majority(labels)) == facts


def test_the_crowd_agrees_more_than_by_chance(data):
    labels = reverb_mturk.read_labels(data / "reverb_mturk", "test", rejects=Rejects())
    estimate = average_pairwise_agreement(ratings(labels))
    assert estimate.n == 2000
    assert 0.5 < estimate.low < estimate.value < estimate.high < 1


@pytest.fixture(scope="module")
def made_facts(data):
    """FactBench's facts, and why others are left out."""
    rejects = Rejects()
    return factbench.read_facts(data / "factbench", rejects=rejects), rejects.counts


def test_factbench_is_all_read_or_counted(made_facts):
    # Ten relations, of each 75 facts and of each of six ways to make them wrong as many; 780 mixed.
    facts, left_out = made_facts
    assert sum(left_out.values()) + len(facts) == 7 * 750 + 780
    assert left_out == {
        "wrong by its date, maybe true without": 750,
        "of mixed kinds, maybe wrong by its date": 780,
        "entity without an English name": 1,
        "the same names again": 130,
    }
    assert {fact.r for fact in facts} == set(factbench.PHRASES.values())
    assert Counter(fact.kind for fact in facts) == {
        "correct": 748,
        "domain": 728,
        "range": 718,
        "domainrange": 676,
        "property": 750,
        "random": 749,
    }


def test_factbench_is_read_as_a_turtle_parser_reads_it(data, made_facts):
    read = {fact[:3] for fact in made_facts[0]}
    checked = 0
    with tarfile.open(data / "factbench" / factbench.ARCHIVE.format(split="train")) as archive:
        for member in archive:
            if not member.name.endswith("_00042.ttl") or {"date", "mix"} & set(
                PurePosixPath(member.name).parts
            ):
                continue
            graph = Graph().parse(archive.extractfile(member), format="turtle")
            (statement,) = graph.subjects(URIRef("http://dbpedia.org/ontology/from"))
            (subject,) = graph.subjects(None, statement)
            names = {
                entity: next(x for x in graph.objects(entity, RDFS.label) if x.language == "en")
                for entity in (subject, *graph.objects(statement))
                if isinstance(entity, URIRef)
            }
            ((relation, obj),) = [
                (p, o) for p, o in graph.predicate_objects(statement) if o in names
            ]
            phrase = factbench.PHRASES[relation.rpartition("/")[2]]
            item = [names[subject], phrase, names[obj]]
            assert tuple(str(x).partition(" (")[0] for x in item) in read
            checked += 1
    assert checked >= 20
