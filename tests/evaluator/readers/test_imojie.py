"""IMoJIE's blocks: spaced tuples below their sentence, the first one on its line at times."""

from evaluator.readers.imojie import SAME_SENTENCE
from tests.evaluator.readers.block_texts import known_as, read, triple

BLOCKS = """Bo left Oslo .
(  Lena  ;  founded  ;  Kelp  )

Bo left Oslo .
(  Bo  ;  left  ;  [UNK] Oslo

Bo left Oslo .(  Bo  ;  left  ;  Oslo  )
"""


def test_triples_have_the_sentence_of_their_block_and_no_confidence():
    extractions, rejects = read("imojie", BLOCKS)
    assert [triple(e) for e in extractions] == [("Lena", "founded", "Kelp"), ("Bo", "left", "Oslo")]
    assert {(e.sentence, e.confidence) for e in extractions} == {("Bo left Oslo .", None)}
    assert rejects.counts == {"a triple without its closing bracket": 1}
    assert known_as(BLOCKS) == ["imojie"]


def test_a_triple_without_a_sentence_is_counted():
    extractions, rejects = read("imojie", "(  Bo  ;  left  ;  Oslo  )\n")
    assert extractions == []
    assert rejects.counts == {"no sentence above the extraction": 1}


def test_a_sentence_is_told_with_its_unfinished_triple():
    extractions, rejects = read("imojie", "Bo left .\n(  Bo  ;  left  ;  [UNK] Oslo\n\n" + BLOCKS)
    assert len(extractions) == 2
    assert rejects.counts == {"a triple without its closing bracket": 2}


def test_one_sentence_above_several_blocks_is_noted():
    """As IMoJIE's own script writes a file: its last sentence stands above each block."""
    assert read("imojie", BLOCKS)[1].notes == {SAME_SENTENCE: 1}
    two = "Lena ran .\n(  Lena  ;  ran  ;    )\n(  Lena  ;  ran  ;  far  )\n"
    others = f"{two}\nBo ran .\n(  Bo  ;  ran  ;    )"
    assert read("imojie", others)[1].notes == {}
