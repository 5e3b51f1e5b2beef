"""What users of Lucene from Python reported, and what happens here."""

import subprocess
import sys
from pathlib import Path

from evaluator.counting.elements import entity_element
from tests.indexes.engines import InText, element, engines


def test_no_word_of_a_name_is_dropped(tmp_path):
    """castorini/pyserini#1307: a term query for "New York" silently became the term "new"."""
    texts = ["New York was visited", "New was visited", "York was visited", "York New was visited"]
    new_york = entity_element("New York", None)
    assert new_york == (("new", "york"),)
    with engines(tmp_path, texts) as both:
        assert both.agreed((new_york, element("was"), element("visited")), x=0) == InText(1, 1, 1)


def test_documents_with_a_name_of_several_words_are_counted(tmp_path):
    """castorini/anserini#1125: only single terms could be counted, no "Barack Obama"."""
    texts = ["Barack Obama in Rome", "Obama, Barack, in Rome", "Barack Obama, Barack Obama in Rome"]
    with engines(tmp_path, texts) as both:
        assert both.agreed((element("Barack Obama"), (), element("Rome")), x=0).pair == 2


def test_names_that_are_common_words_are_counted_and_empty_ones_are_said_to_be(tmp_path):
    """Anserini's getTermCountsWithAnalyzer failed on "White House" and on "the"."""
    with engines(tmp_path, ["The White House", "the house, white"]) as both:
        house, the = element("White House"), element("the")
        assert both.agreed((house, (), the), x=0).pair == 1
        assert both.agreed((entity_element("&", None), the, house), x=0) == InText(None, None, None)


def test_near_bounds_each_gap_by_itself(tmp_path):
    """elastic/elasticsearch#19240: one span query over three clauses bounds all gaps together."""
    texts = ["a x x b x x c", "c x x b x x a", "a b x x x c"]
    with engines(tmp_path, texts) as both:
        fact = element("a"), element("b"), element("c")
        assert both.agreed(fact, x=1) == InText(3, 3, 0)
        assert both.agreed(fact, x=2) == InText(3, 3, 2)
        assert both.agreed(fact, x=2, ordered=True) == InText(3, 3, 1)


def test_lucene_comes_without_torch_and_without_pyserini_itself():
    """castorini/pyserini#1375: the searcher could not be imported without torch and faiss."""
    code = (
        "import sys; from indexes.jvm import running\n"
        "import indexes.text.index, indexes.text.direct\n"
        "with running() as java: java.autoclass('org.apache.lucene.search.IndexSearcher')\n"
        "print({'pyserini', 'torch', 'faiss', 'transformers'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "set()\n"
