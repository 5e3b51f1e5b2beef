"""The readers of ClausIE, OLLIE and OpenIE 4 on published output, counted by other means."""

import re

import pytest

from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions

MESQUITA = ("nyt", "penn", "web")


def records(path, format_name):
    rejects = Rejects()
    extractions = list(read_extractions(SystemSource("system", format_name, path), rejects=rejects))
    assert sum(rejects.counts.values()) == bare_sentences(path)
    return extractions, rejects


def bare_sentences(path):
    """Return how many lines are no row, and have none below them."""
    lines = path.read_text(encoding="utf-8").split("\n")
    row = [bool(re.match(r"[0-9.]+\t|[0-9.]+ ?:? \(", line)) for line in lines] + [False]
    return sum(
        bool(line.strip()) and not row[place] and not row[place + 1]
        for place, line in enumerate(lines)
    )


def rows(path):
    return [
        line.split("\t") for line in path.read_text(encoding="utf-8").split("\n") if "\t" in line
    ]


def raw(path):
    return {sentence_key(s.text) for s in read_sentences(path, format="lines", rejects=Rejects())}


def test_clausie_on_oie2016_gives_what_its_tabbed_copy_holds(data):
    extractions, _ = records(data / "gold/carb/clausie_output.txt", "clausie")
    # 13,560 triples in the copy that OIE2016 distributes, and 391 rows of two slots (awk NF == 4).
    triples = [e for e in extractions if e.arg2]
    assert len(triples) == 13_560
    assert len(extractions) - len(triples) == 391
    copy = rows(data / "gold/oie2016/clausie_tabbed.txt")
    assert {(e.relation, e.arg1, e.arg2) for e in triples} == {tuple(row[2:5]) for row in copy}


def test_openie4_on_oie2016_gives_what_its_tabbed_copy_holds(data):
    extractions, rejects = records(data / "gold/carb/openie4_output.txt", "openie4")
    assert len(extractions) == 9_236  # wc -l
    two = [e for e in extractions if e.arg2]
    assert len(two) == 8_747  # Stanovsky and Dagan 2016, table 3
    assert sum(not e.asserted for e in extractions) == 1_355  # grep -c 'Context('
    copy = rows(data / "gold/oie2016/openie4_tabbed.txt")
    assert {(e.relation, e.arg1, e.arg2) for e in two} == {tuple(row[2:5]) for row in copy}
    for extraction in extractions:
        for slot, (start, end) in extraction.extra.get("spans", {}).items():
            assert extraction.sentence[start:end] == getattr(extraction, slot)
    assert sum(rejects.notes.values()) < len(extractions) / 4


@pytest.mark.parametrize("part", MESQUITA)
@pytest.mark.parametrize("format_name", ["clausie", "openie4"])
def test_every_row_on_the_mesquita_sentences_is_read(data, part, format_name):
    suffix = {"clausie": "clausie", "openie4": "oie4"}[format_name]
    folder = data / "mesquita2013/processed"
    path = folder / f"{part}.{suffix}"
    extractions, _ = records(path, format_name)
    assert len(extractions) == len(rows(path))
    keys = raw(folder / f"{part}.raw")
    assert sum(sentence_key(e.sentence) in keys for e in extractions) > 0.9 * len(extractions)


def test_ollie_on_the_mesquita_web_sentences(data):
    path = data / "mesquita2013/processed/web.ollie"
    extractions, _ = records(path, "ollie")
    header, *lines = rows(path)
    assert header[0] == "confidence"
    assert len(extractions) == len(lines) == 893
    assert sum(bool(e.condition) for e in extractions) == sum(row[4] != "None" for row in lines)
    assert sum(bool(e.attribution) for e in extractions) == sum(row[5] != "None" for row in lines)
    assert sum(e.asserted for e in extractions) == 839  # both columns None, counted with uniq -c


@pytest.mark.parametrize(("part", "sentences"), [("nyt", 200), ("wikipedia", 200)])
@pytest.mark.parametrize("name", ["clausie", "clausie-ncc", "ollie"])
def test_the_labelled_extractions_of_clausie_are_blocks(data, part, sentences, name):
    path = data / "clausie_labelled" / part / f"extractions-{name}.txt"
    extractions, _ = records(path, "clausie")
    assert len(extractions) == len(rows(path))
    assert len({e.sentence for e in extractions}) <= sentences
