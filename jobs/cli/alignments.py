"""``distval similarity curve`` and the sets of alignments that it takes."""

from collections import defaultdict
from collections.abc import Sequence
from math import floor, inf, log10
from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluator.datasets import cesi_reverb, fewrel, wikidata_properties
from evaluator.errors import ConfigurationError, InputError
from evaluator.model import Rejects
from evaluator.relations.alignments import (
    Alignment,
    MatchingPoint,
    best_balanced,
    best_f1,
    matching_curve,
    read_alignments,
    write_alignments,
)
from evaluator.relations.normal_form import relation_form, relation_key, relation_name_words
from evaluator.wordnet.similarity import IDENTICAL, similarity
from jobs.bounds import RATIO, SEED, TIMES
from jobs.cli.checks import within
from jobs.cli.files import READS, WRITES
from jobs.cli.output import (
    Json,
    console,
    errors,
    figure,
    number,
    percent,
    print_json,
    print_line,
    skipped,
    table,
)
from jobs.cli.output import with_interval as interval
from jobs.cli.similarity import DEFAULTS, Derivations, Ic, SenseShare
from jobs.config import data_folder

Out = Annotated[Path, typer.Option(help="File to write."), WRITES]
Negatives = Annotated[int, within(TIMES, help="False alignments for each true one.")]
Seed = Annotated[int, within(SEED, help="Of the draw of false alignments.")]

JUDGEMENTS = Path(__file__).parents[2] / "benchmarks" / "alignments" / "reverb_freebase.tsv"

_CURVE_ROWS = 15


def wikidata_alignments(
    out: Out, negatives: Negatives = 3, seed: Seed = 2012, as_json: Json = False
) -> None:
    """Write other names of properties as alignments.

    They are aligned with the labels of Wikidata's properties.
    """
    rejects = Rejects()
    found = wikidata_properties.read_alignments(
        data_folder() / "wikidata_properties",
        negatives=negatives,
        seed=seed,
        rejects=rejects,
    )
    _write(out, found, rejects, as_json=as_json)


def fewrel_alignments(
    out: Out,
    part: Annotated[Literal["nyt", "wiki"], typer.Option(help="Which of the sets.")] = "nyt",
    window: Annotated[
        Literal["between", "sentence"],
        typer.Option(help="Words between the mentions, or of the whole sentence."),
    ] = "between",
    negatives: Negatives = 3,
    seed: Seed = 2012,
    as_json: Json = False,
) -> None:
    """Write FewRel's relation words as alignments.

    They are those of its sentences, aligned with the labels of properties.

    Their phrases are lists of words: compare them with distval similarity curve --key all.
    """
    rejects = Rejects()
    found = fewrel.read_alignments(
        data_folder() / "fewrel",
        part,
        window=window,
        negatives=negatives,
        seed=seed,
        rejects=rejects,
    )
    _write(out, found, rejects, as_json=as_json)


def reverb_alignments(
    out: Out,
    judgements: Annotated[
        Path,
        typer.Option(
            help="TSV: phrase relation direction name same.",
            show_default=f"benchmarks/alignments/{JUDGEMENTS.name}",
        ),
        READS,
    ] = JUDGEMENTS,
    as_json: Json = False,
) -> None:
    """Write ReVerb's phrases as alignments.

    They are aligned with the relations that FB15k-237 has for their pairs.
    """
    from indexes.dumps.fb15k237 import read_triples

    between: dict[tuple[str, str], set[str]] = defaultdict(set)
    with errors.status("reading triples …"):
        for head, relation, tail in read_triples(data_folder() / "fb15k237"):
            between[head, tail].add(relation.removeprefix("/").replace("/", "."))
        rejects = Rejects()
        candidates = cesi_reverb.read_candidates(
            data_folder() / "cesi_reverb_linked",
            lambda e1, e2: between.get((e1, e2), ()),
            rejects=rejects,
        )
    found = cesi_reverb.read_alignments(candidates, judgements, rejects=rejects)
    _write(out, found, rejects, as_json=as_json)


def curve(
    alignments: Annotated[
        Path,
        typer.Argument(metavar="ALIGNMENTS", help="TSV: phrase relation same [weight]."),
        READS,
    ],
    ic: Ic = None,
    derivations: Derivations = DEFAULTS.derivations,
    sense_share: SenseShare = DEFAULTS.sense_share,
    key: Annotated[
        str, typer.Option(help='Words of a phrase that are compared: "head" or "all".')
    ] = "head",
    ratio: Annotated[
        float | None,
        within(RATIO, help="Restate precision for so many false alignments for each true one."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every threshold.")] = False,
    as_json: Json = False,
) -> None:
    """Show how good matching is over its thresholds.

    Precision and recall are of alignments that people judged; the best threshold is marked.
    """
    if ratio is not None and not 0 < ratio < inf:
        raise ConfigurationError(f"--ratio is {ratio}; it must be above 0")
    known = read_alignments(alignments)
    if not any(alignment.same for alignment in known):
        raise InputError(alignments, "no alignment is the same: there is nothing to find")
    measure = similarity(ic, derivations=derivations, sense_share=sense_share)
    # The words that matching itself compares: of a fact's relation, and of a relation's name.
    phrases = [relation_key(relation_form(a.phrase), key=key).split() for a in known]
    scores = [
        measure.score(words, relation_name_words(a.relation))
        for words, a in zip(phrases, known, strict=True)
    ]
    points = matching_curve(known, scores, false_per_true=ratio)
    true = sum(a.weight for a in known if a.same)
    total = sum(a.weight for a in known)
    by_f1, balanced = best_f1(points), best_balanced(points)
    told = {
        "alignments": str(alignments),
        "rows": len(known),
        "weight": total,
        "true_weight": true,
        "without_words": sum(not words for words in phrases),
        "key": key,
        "information_content": measure.information_content.source,
        "derivations": derivations,
        "sense_share": sense_share,
        "false_per_true": (total - true) / true if ratio is None else ratio,
        "best_f1": by_f1.as_json(),
        "best_balanced": balanced.as_json() if balanced else None,
    }
    if as_json:
        print_json({**told, "curve": [point.as_json() for point in points]})
        return
    shown = points if everything else _thinned(points, by_f1, balanced)
    title = f"{alignments.name}: matching by similarity, {told['information_content']}"
    if len(shown) < len(points):
        title += f" ({len(shown)} of {len(points):,} thresholds; --all for all)"
    columns = ["threshold", "matched", "true", "precision %", "recall %", "F1 %"]
    columns += ["false matched %", "balanced %", ""]
    console.print(table(title, columns, [_row(p, by_f1, balanced) for p in shown]))
    console.print(
        f"{len(known):,} alignments ({told['without_words']:,} without a word to compare); "
        f"by weight {number(true)} true and {number(total - true)} false. Precision is for "
        f"{told['false_per_true']:.3g} false for each true one.",
        highlight=False,
    )
    chosen = balanced or by_f1
    console.print(
        f"Best by F1: {figure(by_f1.threshold)}; by balanced accuracy, which does not depend on "
        f"how many are false: {figure(chosen.threshold)}. "
        f"To use it: --set match.threshold={_setting(chosen.threshold)}, or the same in the "
        "configuration.",
        highlight=False,
        soft_wrap=True,
    )


def _thinned(points: Sequence[MatchingPoint], *kept: MatchingPoint | None) -> list[MatchingPoint]:
    """Return about fifteen points, evenly spaced in recall, with both ends and those to keep."""
    chosen = {points[0].threshold, points[-1].threshold, *(p.threshold for p in kept if p)}
    shares = [point.recall.value or 0.0 for point in points]
    for step in range(1, _CURVE_ROWS):
        wanted = shares[0] * step / _CURVE_ROWS
        chosen.add(min(points, key=lambda p: abs((p.recall.value or 0.0) - wanted)).threshold)
    return [point for point in points if point.threshold in chosen]


def _row(point: MatchingPoint, by_f1: MatchingPoint, balanced: MatchingPoint | None) -> list[str]:
    marks = [
        name
        for name, best in (("F1", by_f1), ("balanced", balanced))
        if best is not None and best.threshold == point.threshold
    ]
    return [
        figure(point.threshold),
        number(point.matched),
        number(point.true_matched),
        interval(point.precision.as_json(), percent),
        interval(point.recall.as_json(), percent),
        percent(point.f1),
        percent(point.false_positive_rate),
        percent(point.balanced_accuracy),
        f"◀ best {' and '.join(marks)}" if marks else "",
    ]


def _setting(threshold: float) -> str:
    """Return a threshold rounded down, so that what scores just this still matches."""
    if threshold >= IDENTICAL:
        return f"{IDENTICAL:g}"
    digits = 4 - 1 - floor(log10(threshold)) if threshold > 0 else 0
    return f"{floor(threshold * 10**digits) / 10**digits:g}"


def _write(out: Path, found: Sequence[Alignment], rejects: Rejects, *, as_json: bool) -> None:
    write_alignments(out, found)
    skipped(rejects.counts, "records")
    true = sum(alignment.same for alignment in found)
    if as_json:
        told = {"out": str(out), "alignments": len(found), "true": true}
        print_json({**told, **rejects.as_json()})
    else:
        print_line(f"{out}: {len(found):,} alignments, {true:,} true")
