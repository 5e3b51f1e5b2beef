"""Which reader takes the output of PropS, Stanford and ReVerb, and what it counts."""

from collections import Counter
from itertools import islice

import pytest

from evaluator.model import Rejects
from evaluator.readers import (
    SystemSource,
    props,
    read_extractions,
    reverb,
    stanford,
    stanford_reverb,
    tabbed,
    text_lines,
)


def head(path):
    return [line for _, line in islice(text_lines(path, rejects=Rejects()), 200)]


def test_props_on_carb_gives_every_proposition_with_its_number_of_arguments(data):
    rejects = Rejects()
    source = SystemSource("PropS", "props", data / "gold/carb/props_output.txt")
    extractions = list(read_extractions(source, rejects=rejects))
    # Numbers of lines by their columns, counted with awk: 4 is none, 5 is one argument, 7 is two.
    arities = {0: 30, 1: 430, 2: 3916, 3: 1664, 4: 1019, 5: 370, 6: 171, 7: 97}
    arities |= {8: 27, 9: 34, 10: 82, 12: 2}
    found = Counter(
        len([slot for slot in (e.arg1, e.arg2, *e.more_arguments) if slot]) for e in extractions
    )
    assert found == arities
    assert len(extractions) == 7_842
    assert rejects.counts == {"blank line": 29}  # wc -l gives 7,871
    assert all(e.confidence is not None and e.confidence < 0 for e in extractions)
    # A sentence has one confidence.
    assert len({(e.sentence, e.confidence) for e in extractions}) == 3_152
    assert len({e.sentence for e in extractions}) == 3_152


@pytest.mark.parametrize("part", ["nyt", "penn", "web"])
def test_props_on_mesquita_is_tabbed(data, part):
    lines = head(data / f"mesquita2013/processed/{part}.props")
    assert tabbed.recognises(lines)
    assert not props.recognises(lines)


@pytest.mark.parametrize("system", ["stanford", "props", "reverb"])
def test_the_output_on_oie2016_is_tabbed(data, system):
    lines = head(data / f"gold/oie2016/{system}_tabbed.txt")
    assert tabbed.recognises(lines)
    assert not any(other.recognises(lines) for other in (props, stanford, stanford_reverb, reverb))


def test_native_output_is_recognised(data):
    assert props.recognises(head(data / "gold/carb/props_output.txt"))
    lines = head(data / "gold/carb/reverb_output.txt")
    assert reverb.recognises(lines)
    assert not any(other.recognises(lines) for other in (tabbed, stanford, stanford_reverb))
    assert not stanford.recognises(head(data / "gold/benchie/extractions/stanford_explicit.txt"))
