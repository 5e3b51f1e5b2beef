"""Gold tuples of OIE2016 as tab-separated lines, in two forms that are told apart by what they say.

The benchmark exists twice. Form A (supervised-oie) has sentence, predicate and arguments; form B
(oie-benchmark, the corpus of the paper) has the bare verb before the predicate, which nothing
compares: "barred", "might have been barred". The relations of Mesquita et al. (2013) are converted
to form A. There is no header; a sentence's tuples need not stand together.

In form A the arguments stand in the order of the questions that annotators answered, so that 7 % of
the first arguments stand after the predicate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.gold import GoldSentence
from evaluator.gold.joining import KeyIndex, KeyRule, SentenceIndex
from evaluator.model import Rejects
from evaluator.readers import example, is_number, text_lines
from evaluator.readers._cells import cells
from evaluator.wordnet.lexicon import wordnet

type Slots = Sequence[str]
"""A tuple as it is compared: the predicate, the first argument, the others."""

_HEADER = {"sentence", "sent", "text", "predicate", "pred", "relation", "rel", "arg1", "arg0"}

_SAMPLE = 500
"""Lines by which the kind of a file is told."""

type _ByText = Mapping[str, Sequence[Slots]]


@dataclass(frozen=True, slots=True)
class Propositions:
    """Gold tuples by sentence.

    Attributes
    ----------
    sentences
        In the order of their first tuples.
    views
        For each sentence, what its tuples are compared by, in file order.
    counts
        "sentences", "tuples", "lost_sentences", "lost_tuples".
    index
        Finds the sentence that a text is; by text where the mode is corrected, else by key.
    """

    sentences: Sequence[GoldSentence]
    views: Sequence[Sequence[Any]]
    counts: Mapping[str, int]
    index: SentenceIndex | KeyIndex


def read_propositions(
    path: Path,
    *,
    keys: KeyRule | None,
    view: Callable[[Slots], Any],
    rejects: Rejects,
) -> Propositions:
    """Return the tuples of a gold file of either form.

    Parameters
    ----------
    path
        Plain text, or packed with gzip, bzip2 or xz.
    keys
        How sentences are known in a released mode: of those with one key only one stays. None
        where they are known by their text.
    view
        Returns what a tuple is compared by.
    rejects
        Takes the lines that are no tuple.

    Raises
    ------
    InputError
        If the file is missing, empty or damaged, or holds no tuple.
    """
    rows = gold_rows(path, least=3, rejects=rejects)
    if not rows:
        raise no_tuple(path, rejects)
    first_slot = 2 if has_base_predicates(rows) else 1
    by_text: dict[str, list[Slots]] = {}
    for row in rows:
        by_text.setdefault(row[0], []).append(tuple(row[first_slot:]))
    kept, lost, index = _joined(by_text) if keys is None else _by_key(by_text, keys)
    return Propositions(
        sentences=[
            GoldSentence(str(number), text, [readable(slots) for slots in tuples])
            for number, (text, tuples) in enumerate(kept.items(), start=1)
        ],
        views=[[view(slots) for slots in tuples] for tuples in kept.values()],
        counts={
            "sentences": len(kept),
            "tuples": sum(map(len, kept.values())),
            "lost_sentences": len(lost),
            "lost_tuples": sum(map(len, lost.values())),
        },
        index=index,
    )


def gold_rows(path: Path, *, least: int, rejects: Rejects) -> list[list[str]]:
    """Return the tab-separated columns of each line; count those with fewer than `least`.

    Lines are stripped first, as the released scorers do: one may end in empty columns.

    Raises
    ------
    InputError
        If the file is missing or damaged, or is the output of a system: confidences stand where the
        predicates should.
    """
    rows = []
    for number, line in text_lines(path, rejects=rejects):
        columns = cells(line.strip(), rejects)
        if len(columns) >= least:
            rows.append(columns)
        else:
            reason = f"fewer than {least} columns" if line.strip() else "blank line"
            rejects.add(reason, example(number, line))
    if rows and {cell.strip().casefold() for cell in rows[0][:3]} <= _HEADER:
        raise InputError(path, "a header, where gold data begin with a tuple; take it out", line=1)
    sample = rows[:_SAMPLE]
    if sample and sum(is_number(row[1]) for row in sample) >= 0.9 * len(sample):
        raise InputError(
            path,
            "not gold data but the output of a system, with numbers in the second column; "
            "give it as a --system",
        )
    return rows


def no_tuple(path: Path, rejects: Rejects) -> InputError:
    """Return the error of a gold file without a tuple, with the first line that was skipped."""
    return InputError(
        path,
        f"no gold tuple: {rejects.first('no line is left')}; expected tab-separated sentence, "
        "predicate, arg1, arg2, ...",
    )


def has_base_predicates(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether gold lines are of form B: the verb of the second column recurs in the third.

    It may be inflected otherwise there ("choose", "is n't chosen from"), so that its beginning is
    looked for. In form A the third column is an argument, where a word hardly ever begins like the
    predicate. The majority of the lines decides: it is 98 % of form B or more, at most 2 % of A.
    Irregular forms ("went" of "go") are looked for where they could decide, which needs WordNet,
    and in lines whose verb the sentence lacks, as it has the form.
    """
    sample = rows[:_SAMPLE]
    begin_alike = [
        bool(verb) and any(word.startswith(verb[:3]) for word in third.split())
        for _, verb, third, *_ in sample
    ]
    lacking = [
        place
        for place, (text, verb, *_) in enumerate(sample)
        if not begin_alike[place] and verb not in text.split()
    ]
    half, regular = len(sample) / 2, sum(begin_alike)
    if regular > half or regular + len(lacking) <= half:
        return regular > half
    irregular = sum(
        any(("v", sample[place][1]) in wordnet().lemmas(word) for word in sample[place][2].split())
        for place in lacking
    )
    return regular + irregular > half


def readable(slots: Slots) -> str:
    """Return a tuple as people write it: "(He; served as; mayor)"."""
    predicate, *arguments = slots
    return f"({'; '.join([*arguments[:1], predicate, *arguments[1:]])})"


def _joined(by_text: _ByText) -> tuple[_ByText, _ByText, SentenceIndex]:
    """Make one sentence of those whose texts differ in spacing or escapes only."""
    texts = list(by_text)
    index = SentenceIndex(texts)
    if not index.repeated:
        return by_text, {}, index
    merged: dict[str, list[Slots]] = {}
    for text, tuples in by_text.items():
        place = index.find(text)
        merged.setdefault(text if place is None else texts[place], []).extend(tuples)
    return merged, {}, SentenceIndex(list(merged))


def _by_key(by_text: _ByText, rule: KeyRule) -> tuple[_ByText, _ByText, KeyIndex]:
    """Part the sentences that stay from those that are lost."""
    index = KeyIndex(list(by_text), rule)
    kept = {text: by_text[text] for text in index.kept}
    lost = {text: tuples for text, tuples in by_text.items() if text not in kept}
    return kept, lost, index
