"""Alignments from public sets, on records small enough to say what must come out."""

import gzip
import json
import zipfile

import pytest

from evaluator.datasets import cesi_reverb, fewrel, wikidata_properties
from evaluator.errors import InputError
from evaluator.model import Rejects
from evaluator.relations.alignments import Alignment

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
OTHER = "http://www.w3.org/2004/02/skos/core#altLabel"


def properties(folder, *rows):
    lines = [f'{name}\t{predicate}\t"{text}"' for name, predicate, text in rows]
    (folder / wikidata_properties.FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_other_labels_are_aligned_with_their_label_and_with_labels_of_other_properties(tmp_path):
    properties(
        tmp_path,
        ("P19", LABEL, "place of birth"),
        ("P19", OTHER, "born in"),
        ("P20", LABEL, "place of death"),
        ("P26", LABEL, "spouse"),
    )
    found = wikidata_properties.read_alignments(tmp_path, negatives=2, rejects=Rejects())
    assert found[0] == Alignment("born in", "place of birth", same=True)
    assert sorted(found[1:]) == [
        Alignment("born in", "place of death", same=False),
        Alignment("born in", "spouse", same=False),
    ]


def test_no_false_alignment_is_drawn_with_a_property_of_the_same_name(tmp_path):
    properties(
        tmp_path,
        ("P22", LABEL, "father"),
        ("P22", OTHER, "parent"),
        ("P8810", LABEL, "relative"),
        ("P8810", OTHER, "Parent"),
    )
    found = wikidata_properties.read_alignments(tmp_path, negatives=5, rejects=Rejects())
    assert [a.same for a in found] == [True, True]


def test_what_gives_no_alignment_is_counted(tmp_path):
    properties(
        tmp_path,
        ("P214", LABEL, "VIAF ID"),
        ("P214", OTHER, "VIAF"),
        ("P19", LABEL, "place of birth"),
        ("P19", OTHER, "Place of birth"),
        ("P19", OTHER, "n\\u00e9 \\u00e0"),
        ("P7", OTHER, "brother"),
        ("P19", "http://schema.org/description", "where one was born"),
    )
    rejects = Rejects()
    found = wikidata_properties.read_alignments(tmp_path, rejects=rejects)
    assert [a.phrase for a in found] == ["né à"]
    assert rejects.counts == {
        "broken record": 1,
        "identifier": 1,
        "same as the label": 1,
        "without a label": 1,
    }


def test_the_draw_is_the_same_for_the_same_seed_and_another_for_another(tmp_path):
    names = [(f"P{n}", LABEL, f"relation {n}") for n in range(200)]
    properties(tmp_path, ("P19", LABEL, "place of birth"), ("P19", OTHER, "born in"), *names[20:])

    def draw(seed):
        return wikidata_properties.read_alignments(tmp_path, seed=seed, rejects=Rejects())

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)


SENTENCE = {
    "tokens": ["Witnesses", "Ann", "Lee", "married", "the", "painter", "Bob", "Ray", "in", "Rome"],
    "h": ["Bob Ray", "Q1", [[6, 7]]],
    "t": ["Ann Lee", "Q2", [[1, 2]]],
}
BARE = {"tokens": ["Ann", ",", "Bob"], "h": ["Ann", "Q1", [[0]]], "t": ["Bob", "Q2", [[2]]]}
NAMES = {"P26": ["spouse", ""], "P19": ["place of birth", ""], "P20": ["place of death", ""]}


def sentences(folder, content, names=NAMES):
    (folder / fewrel.NAMES).write_text(json.dumps(names))
    (folder / fewrel.SETS["nyt"]).write_text(json.dumps(content))
    (folder / fewrel.SETS["wiki"]).write_bytes(gzip.compress(json.dumps(content).encode()))


@pytest.mark.parametrize(
    ("window", "phrase"),
    [("between", "married painter"), ("sentence", "witnesses married painter")],
)
def test_the_phrase_is_the_content_words_between_the_mentions_or_around_them(
    tmp_path, window, phrase
):
    sentences(tmp_path, {"P26": [SENTENCE], "P19": []})
    found = fewrel.read_alignments(tmp_path, "nyt", window=window, rejects=Rejects())
    assert found == [
        Alignment(phrase, "place of birth", same=False),
        Alignment(phrase, "spouse", same=True),
    ]


def test_sentences_of_one_phrase_are_one_alignment_of_their_number(tmp_path):
    sentences(tmp_path, {"P26": [SENTENCE, SENTENCE], "P19": []})
    found = fewrel.read_alignments(tmp_path, "wiki", rejects=Rejects())
    assert [a.weight for a in found] == [2, 2]


def test_sentences_without_an_alignment_are_counted(tmp_path):
    sentences(tmp_path, {"P26": [SENTENCE, BARE, {"tokens": []}], "P9": [SENTENCE]})
    rejects = Rejects()
    fewrel.read_alignments(tmp_path, "nyt", rejects=rejects)
    assert rejects.counts == {
        "broken record": 1,
        "no relation word": 1,
        "property without a name": 1,
    }


def test_a_truncated_set_is_refused(tmp_path):
    sentences(tmp_path, {"P26": [SENTENCE]})
    path = tmp_path / fewrel.SETS["wiki"]
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="truncated"):
        fewrel.read_alignments(tmp_path, "wiki", rejects=Rejects())


def extraction(subject, phrase, object_, link):
    return {"triple": [subject, phrase, object_], "true_link": link}


@pytest.fixture
def reverb(tmp_path):
    link = {"subject": "/m/1", "object": "/m/2"}
    parts = {
        "base.zip": [
            extraction("Phoenix", "be in", "Arizona", link),
            extraction("phoenix", "be in", "arizona", link),  # the same pair
            extraction("Phoenix City", "be in", "Arizona", link),
            {"triple": None},
        ],
        "ambiguous.zip": [extraction("Rome", "see", "Ann", {"subject": "/m/3", "object": "NULL"})],
    }
    for name, rows in parts.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("set/test", "".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


KNOWN = {("/m/1", "/m/2"): ["location.state"], ("/m/2", "/m/1"): ["location.contains"]}


def candidates(folder, rejects):
    return cesi_reverb.read_candidates(folder, lambda a, b: KNOWN.get((a, b), ()), rejects=rejects)


def test_candidates_are_phrases_with_the_relations_of_their_pairs_both_ways_round(reverb):
    rejects = Rejects()
    assert [c[:4] for c in candidates(reverb, rejects)] == [
        ("be in", "location.contains", "backward", 2),
        ("be in", "location.state", "forward", 2),
    ]
    assert rejects.counts == {"broken record": 1}


def test_judged_candidates_are_alignments_and_the_others_are_counted(reverb):
    sheet = reverb / "judged.tsv"
    sheet.write_text(
        "phrase\trelation\tdirection\tname\tsame\n"
        "be in\tlocation.state\tforward\tstate\ttrue\n"
        "be in\tlocation.state\tbackward\tstate\tfalse\n"
    )
    rejects = Rejects()
    found = cesi_reverb.read_alignments(candidates(reverb, Rejects()), sheet, rejects=rejects)
    assert found == [Alignment("be in", "state", same=True, weight=2)]
    assert rejects.counts == {"not judged": 1}


def test_a_damaged_archive_is_refused(reverb):
    (reverb / "base.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="not a zip file"):
        candidates(reverb, Rejects())


def test_a_cut_table_of_properties_is_refused(tmp_path):
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    path = tmp_path / wikidata_properties.FILE
    path.write_text(f'P1\t{label}\t"place of birth"\nP2\t{label}\t"place of dea')
    with pytest.raises(InputError, match=f"{wikidata_properties.FILE}: its last line is cut"):
        wikidata_properties.read_alignments(tmp_path, rejects=Rejects())
