"""Bounds of the numbers that a person gives, as settings or as options: each stands here once.

They are checked before any work. Beyond them a number is a slip of the hand, or asks for more
memory or time than there is; none is the edge of what the method can do.
"""

from typing import NamedTuple


class Bound[Number: (int, float)](NamedTuple):
    """The least and the most that a number may be; both are allowed."""

    least: Number
    most: Number


SEED = Bound(0, (1 << 63) - 1)
"""Seeds of samples, draws and folds: what a signed 64-bit column holds."""

DRAWS = Bound(100, 1_000_000)
"""Posterior draws of an estimate: a million take about a gigabyte."""

RESAMPLES = Bound(1, 1_000_000)
"""Draws of bootstraps and tests."""

SAMPLE = Bound(1, (1 << 63) - 1)
"""Facts of a sample: no population has more, so that the most stands for all."""

LABELS = Bound(1, 1_000_000)
"""Facts that people label."""

FACTS = Bound(1, 1_000_000_000)
"""Facts that are shown or written."""

PORTS = Bound(0, 65_535)
"""Ports of this machine; 0 is any that is free."""

AUDITED = Bound(30, 10_000)
"""Facts that test an annotator: of fewer no test says anything, more are an estimate's."""

WORDS = Bound(0, 1_000)
"""Distances in words."""

WINDOW = Bound(1, 10)
"""Sentences of a window: each more pairs every sentence with one more."""

PARTITIONS = Bound(1, 100_000)
"""Partitions of Spark's shuffles."""

PART_ROWS = Bound(1, 1_000_000_000)
"""Rows of a part that is kept once it is finished."""

PROCESSES = Bound(1, 1_024)
"""Processes or threads side by side."""

TIMES = Bound(1, 100)
"""How many of something one thing has: words of a relation, raters of a fact."""

MADE = Bound(1, 1_000_000)
"""Entities, sentences, documents and facts of a made world of text."""

COUNTED = Bound(0, 100_000_000)
"""Facts of a made world of counts."""

SHARE = Bound(0.0, 1.0)
"""Shares and chances."""

LEVEL = Bound(0.5, 0.9999)
"""Levels of intervals: beyond, an end is a handful of draws."""

RATIO = Bound(0.001, 1e6)
"""How many things of one kind there are for each of another."""

ADDED = Bound(1e-6, 1e6)
"""Occurrences added to a count, so that none is 0."""

REQUESTS = Bound(1, 256)
"""Requests to a server at the same time."""

PER_MINUTE = Bound(0.1, 1_000_000)
"""Requests to a server in a minute."""

CALLS = Bound(1, 100_000_000)
"""Requests to a server in all."""

TOKENS = Bound(1, 1_000_000_000_000)
"""Tokens of prompts and answers in all."""

PRICE = Bound(0.0, 1e6)
"""What a judge takes for a fact, in any currency."""

WAGE = Bound(1e-6, 1e6)
"""What a person takes for a label."""

WIDTH = Bound(0.001, 0.9)
"""Of an interval that is wanted."""
