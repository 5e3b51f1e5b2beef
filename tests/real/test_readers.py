"""The readers on published output: six systems on OIE2016, ReVerb on CaRB and on ClueWeb09."""

import json
import zipfile

import pytest

from evaluator.corpus.sentences import read_sentences, sentence_key
from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions, read_facts, write_extractions

# Lines of each file, counted with wc.
TABBED_LINES = {
    "clausie": 13_560,
    "ollie": 8_226,
    "openie4": 8_747,
    "props": 7_658,
    "reverb": 4_176,
    "stanford": 20_180,
}


@pytest.fixture(scope="module")
def keys(data):
    rejects = Rejects()
    path = data / "gold/oie2016/raw_sentences_all.txt"
    sentences = list(read_sentences(path, format="lines", rejects=rejects))
    assert len(sentences) == 3_200  # Stanovsky and Dagan 2016, table 2
    assert rejects.total == 0
    return {sentence_key(sentence.text) for sentence in sentences}


@pytest.mark.parametrize("system", TABBED_LINES)
def test_tabbed_output_reads_whole_and_writes_back_byte_for_byte(data, tmp_path, keys, system):
    path = data / f"gold/oie2016/{system}_tabbed.txt"
    rejects = Rejects()
    source = SystemSource(system, "tabbed", path)
    extractions = list(read_extractions(source, rejects=rejects))
    assert len(extractions) == TABBED_LINES[system]
    assert rejects.total == 0
    assert all(sentence_key(extraction.sentence) in keys for extraction in extractions)

    write_extractions(extractions, tmp_path / "again.txt", format="tabbed")
    assert (tmp_path / "again.txt").read_bytes() == path.read_bytes()

    write_extractions(extractions, tmp_path / "as.jsonl", format="jsonl")
    as_json = SystemSource(system, "jsonl", tmp_path / "as.jsonl")
    assert list(read_extractions(as_json, rejects=rejects)) == extractions


def test_props_has_extractions_with_one_argument(data):
    source = SystemSource("props", "tabbed", data / "gold/oie2016/props_tabbed.txt")
    one = [e for e in read_extractions(source, rejects=Rejects()) if not e.arg2]
    assert len(one) == 446  # lines of four columns, counted with awk


def test_reverb_output_gives_the_true_sentence(data, keys):
    rejects = Rejects()
    source = SystemSource("reverb", "reverb", data / "gold/carb/reverb_output.txt")
    extractions = list(read_extractions(source, rejects=rejects))
    assert len(extractions) == 4_176
    assert rejects.total == 0
    # ReVerb splits sentences anew; all but a few are sentences of the corpus all the same.
    aligned = [
        extraction for extraction in extractions if sentence_key(extraction.sentence) in keys
    ]
    assert len(aligned) / len(extractions) > 0.98
    # In the realigned file every slot holds words of its sentence; in the tabbed one it does not.
    for extraction in aligned:
        words = set(sentence_key(extraction.sentence).split())
        assert words.issuperset(sentence_key(extraction.relation).split())


@pytest.mark.parametrize(("archive", "triples"), [("base", 4_549), ("ambiguous", 19_162)])
def test_cesi_gives_the_distinct_triples_of_its_archives(data, archive, triples):
    """The numbers of distinct triples are those that the archives' SOURCE.md counts."""
    path = data / "cesi_reverb_linked" / f"{archive}.zip"
    facts = list(read_facts(SystemSource("ReVerb", "cesi", path), rejects=Rejects()))
    assert len({(f.name1, f.relation, f.name2) for f in facts}) == triples


def test_cesi_gives_what_is_in_both_archives(data):
    rows = set()
    count = 0
    for archive in ("base", "ambiguous"):
        with zipfile.ZipFile(data / "cesi_reverb_linked" / f"{archive}.zip") as zipped:
            for line in b"".join(map(zipped.read, zipped.namelist())).splitlines():
                if line:
                    row = json.loads(line)
                    link = row["true_link"]
                    rows.add((*row["triple"], link["subject"], link["object"]))
                    count += 1
    rejects = Rejects()
    source = SystemSource("ReVerb", "cesi", data / "cesi_reverb_linked")
    facts = list(read_facts(source, rejects=rejects))
    read = {(f.name1, f.relation, f.name2, f.e1 or "NULL", f.e2 or "NULL") for f in facts}
    assert read == rows
    assert len(facts) == len(rows)
    assert len(facts) + rejects.total == count == 9_039 + 34_554
