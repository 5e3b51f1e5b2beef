"""Which benchmark a gold file is of, where the file tells it: of another, figures would be wrong.

CaRB, OIE2016 and ORE all have tab-separated sentence, predicate and arguments. The published files
(BenchIE's CaRB and Mesquita's ``*.verb`` among them) differ in their rows:

=========================================  ==========  ==========  ==========
share of rows, or words                    CaRB        OIE2016     ORE
=========================================  ==========  ==========  ==========
predicate of one word                      0.28-0.35   1.00        1.00
predicate in a row in the sentence         0.49-0.75   0.98-0.99   0.99-1.00
four columns                               0.65-0.75   0.50-0.54   1.00
words of an argument                       3.7-4.0     4.6-5.3     1.5-2.2
third column says the verb of the second   <= 0.02     0 or 0.98   0
=========================================  ==========  ==========  ==========

Where a file has few rows, or lies between these, nothing is said of it.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from evaluator.errors import InputError, excerpt
from evaluator.gold.oie2016.propositions import has_base_predicates
from evaluator.gold.ore.annotated_relations import has_entity
from evaluator.model import Rejects
from evaluator.readers import table, text_lines

_HEAD = 2_000
"""Lines that are looked at."""

_FEWEST = 50
"""Rows from which shares say something: the smallest files of ORE have no fewer."""

_LABELS = ("C: ", "T: ", "L: ")


def recognised_benchmark(path: Path) -> tuple[str, str] | None:
    """Return the name of the benchmark whose gold data a file looks like, and why; else None.

    Raises
    ------
    InputError
        If the file cannot be read, or begins with a header: it would be scored as a tuple.
    """
    head = [line for _, line in islice(text_lines(path, rejects=Rejects()), _HEAD) if line.strip()]
    if table.recognises(head):
        problem = f"a header ({excerpt(head[0])}), which gold data have not; take it out"
        raise InputError(path, problem, line=1)
    if any(line.lstrip().startswith("sent_id:") for line in head):
        return "benchie", "lines begin with sent_id:"
    if any('"words_indexes"' in line for line in head):
        return "wire57", "JSON with words_indexes"
    if any(map(has_entity, head)):
        return "ore", "entities are marked as [[[TYPE words]]]"
    rows = [[cell.strip() for cell in line.strip().split("\t")] for line in head]
    return _of_columns([row for row in rows if len(row) >= 3])


def _of_columns(rows: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    if rows and has_base_predicates(rows):
        return "oie2016", "the third column is the predicate around the verb of the second"
    if len(rows) < _FEWEST:
        return None
    share = 1 / len(rows)
    one_word = share * sum(len(row[1].split()) == 1 for row in rows)
    stated = share * sum(f" {row[1]} " in f" {row[0]} " for row in rows)
    labelled = any(cell.startswith(_LABELS) for row in rows for cell in row[2:])
    if 0.3 < stated < 0.9 and (labelled or one_word < 0.7):
        return "carb", f"{1 - stated:.0%} of its predicates are not words in a row of the sentence"
    if one_word < 0.97 or stated < 0.95:
        return None
    arguments = [cell for row in rows for cell in row[2:]]
    words = sum(len(cell.split()) for cell in arguments) / len(arguments)
    four_columns = share * sum(len(row) == 4 for row in rows)
    if four_columns >= 0.9 and words < 3:
        return "ore", "predicates are one word of the sentence, between two short arguments"
    if four_columns < 0.9 and words > 3:
        return "oie2016", "predicates are one word of the sentence, with one or more long arguments"
    return None
