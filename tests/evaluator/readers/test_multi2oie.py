"""Multi2OIE writes the tabbed format of CaRB, and is recognised as that."""

from tests.evaluator.readers.block_texts import known_as, read

LINES = [
    "Lena Marsh founded Kelp .\t1.0\tfounded\tLena Marsh\tKelp",
    "Lena Marsh founded Kelp in Oslo .\t0.93\tfounded\tLena Marsh\tKelp\tin Oslo",
]


def test_it_is_read_as_tabbed_and_its_constant_confidence_kept():
    extractions, rejects = read("multi2oie", "\n".join(LINES))
    assert extractions == read("tabbed", "\n".join(LINES))[0]
    assert [extraction.confidence for extraction in extractions] == [1.0, 0.93]
    assert rejects.total == 0


def test_it_is_recognised_as_tabbed():
    assert known_as("\n".join(LINES)) == ["tabbed"]
