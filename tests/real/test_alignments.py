"""Alignments of the public sets, every record read or counted, and the judgements kept with them.

The numbers of records are those of the sets' own documentation.
"""

from collections import defaultdict
from pathlib import Path

import pytest

from evaluator.datasets import cesi_reverb, fewrel, wikidata_properties
from evaluator.model import Rejects
from evaluator.relations.alignments import matching_curve, read_alignments
from evaluator.relations.normal_form import relation_form, relation_name_words
from evaluator.tables import read_table
from evaluator.wordnet.similarity import default_similarity
from indexes.dumps.fb15k237 import read_triples

JUDGEMENTS = Path(__file__).parents[2] / "benchmarks" / "alignments" / "reverb_freebase.tsv"


def test_every_wikidata_label_is_aligned_or_counted(data):
    rejects = Rejects()
    found = wikidata_properties.read_alignments(
        data / "wikidata_properties", negatives=2, rejects=rejects
    )
    true = [a for a in found if a.same]
    assert len(found) == 3 * len(true)
    assert set(rejects.counts) == {"identifier", "same as the label"}
    labels = 2569  # each property has one; the other 3,745 lines are other labels
    with (data / "wikidata_properties" / wikidata_properties.FILE).open() as lines:
        assert sum(1 for _ in lines) == labels + 3745
    assert ("birthplace", "place of birth") in {(a.phrase, a.relation) for a in true}


@pytest.mark.parametrize(
    ("part", "sentences", "properties"), [("nyt", 2500, 25), ("wiki", 11200, 16)]
)
@pytest.mark.parametrize("window", ["between", "sentence"])
def test_every_sentence_of_fewrel_is_aligned_or_counted(data, part, sentences, properties, window):
    rejects = Rejects()
    found = fewrel.read_alignments(data / "fewrel", part, window=window, rejects=rejects)
    assert set(rejects.counts) == {"no relation word"}
    true = [a for a in found if a.same]
    assert sum(a.weight for a in true) + rejects.total == sentences
    assert sum(a.weight for a in found) == 4 * sum(a.weight for a in true)
    assert len({a.relation for a in true}) == properties


@pytest.fixture(scope="module")
def reverb(data):
    between = defaultdict(set)
    for head, relation, tail in read_triples(data / "fb15k237"):
        between[head, tail].add(relation.removeprefix("/").replace("/", "."))
    rejects = Rejects()
    found = cesi_reverb.read_candidates(
        data / "cesi_reverb_linked", lambda e1, e2: between.get((e1, e2), ()), rejects=rejects
    )
    assert not rejects.counts
    return found


def test_each_judgement_is_of_a_candidate_and_nearly_all_candidates_are_judged(reverb):
    rows = list(read_table(JUDGEMENTS, columns=cesi_reverb.COLUMNS, rejects=Rejects()))
    judged = {(row["phrase"], row["relation"], row["direction"]) for row in rows}
    assert len(judged) == len(rows) == 198
    assert judged <= {candidate[:3] for candidate in reverb}
    rejects = Rejects()
    found = cesi_reverb.read_alignments(reverb, JUDGEMENTS, rejects=rejects)
    assert rejects.counts == {"not judged": 20}
    assert found == read_alignments(JUDGEMENTS)


def test_similar_words_find_the_same_relation_more_often_than_another(data):
    alignments = wikidata_properties.read_alignments(
        data / "wikidata_properties", rejects=Rejects()
    )
    measure = default_similarity()
    scores = [
        measure.score(relation_form(a.phrase).lemmas, relation_name_words(a.relation))
        for a in alignments
    ]
    points = matching_curve(alignments, scores)
    half = next(p for p in points if p.threshold >= 0.5)
    assert half.false_positive_rate < 0.05 < 0.5 < half.recall.value
