"""From files to figures: the output of several systems scored on one benchmark."""

import gc
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.errors import ConfigurationError, InputError, choices, excerpt
from evaluator.gold import Benchmark, Gold, Mode, Output, Scored, benchmarks, conjunctions
from evaluator.gold.cautions import cautions
from evaluator.gold.recognition import recognised_benchmark
from evaluator.inputs import open_file
from evaluator.model import Extraction, Rejects
from evaluator.readers import SystemSource, read_extractions
from evaluator.readers.jsonl import line_of
from evaluator.text import tokens


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Several systems on one benchmark.

    Attributes
    ----------
    benchmark, mode, options
        Whose rules, and which of them.
    signature
        One line that names everything that changes a figure: rules, data, and each system's output
        with its format, which released scorers read in different ways.
    gold, gold_rejects
        The gold data, and the records of their file that are none.
    systems
        What each system gets, by name, in the order given.
    rejects
        What each system's file holds besides extractions.
    cautions
        For each system, what a reader of its figures should know.
    """

    benchmark: Benchmark
    mode: Mode
    options: Mapping[str, str]
    signature: str
    gold: Gold
    gold_rejects: Rejects
    systems: Mapping[str, Scored]
    rejects: Mapping[str, Rejects]
    cautions: Mapping[str, Sequence[str]]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Keep Python from looking for cycles of objects.

    Scoring makes hundreds of thousands of small objects and no cycle; to look through them again
    and again takes a quarter of the time, and makes it grow faster than the data.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def find_benchmark(name: str) -> Benchmark:
    """Return the benchmark of that name.

    Raises
    ------
    ConfigurationError
        If there is none.
    """
    try:
        return benchmarks()[name]
    except KeyError:
        known = choices(name, benchmarks())
        raise ConfigurationError(f"benchmark {name!r} is unknown; {known}") from None


def evaluate(
    name: str,
    gold: Path,
    systems: Sequence[SystemSource | Output],
    *,
    mode: str | None = None,
    options: Mapping[str, str] | None = None,
    asserted: bool = False,
    version: str,
) -> Evaluation:
    """Score systems on a benchmark.

    Parameters
    ----------
    name
        Of the benchmark.
    gold
        File of its gold data.
    systems
        Output files, which are all looked for before the first is read; or extractions, which are
        scored as their file in the format "jsonl" would be.
    mode, options
        Whose rules count: one of the benchmark's modes, by default the first ("released"), and a
        value for any of its options.
    asserted
        Leave out extractions of which the system says that the sentence does not assert them. No
        scorer does.
    version
        Of the program, for the signature.

    Raises
    ------
    ConfigurationError
        If the benchmark, mode or option is unknown, or two systems have one name.
    InputError
        If a file is missing or cannot be used, or holds less gold data than other lines.
    """
    benchmark = find_benchmark(name)
    rules = _mode(benchmark, mode)
    chosen = _options(benchmark, options or {})
    _check_systems(systems)
    if not gold.exists():
        raise InputError(gold, "no such file; it should hold the gold data")
    if not gold.is_file():
        raise InputError(gold, "not a file; save the gold data as one first")
    for source in systems:
        if isinstance(source, SystemSource):
            source.check()
    _check_benchmark(gold, benchmark.NAME)
    gold_rejects = Rejects()
    scored, rejects, told = {}, {}, {}
    with without_collecting():
        data = benchmark.read_gold(gold, mode=rules, options=chosen, rejects=gold_rejects)
        _check_gold(gold, data, gold_rejects, benchmark.NAME)
        for source in systems:
            own = Rejects()
            output = _read(source, own)
            if asserted:
                output = replace(output, extractions=_asserted(output.extractions, own))
            found = _score(benchmark, data, output, rules, chosen)
            rejects[output.system], scored[output.system] = own, found
            told[output.system] = [*found.notes, *cautions(data, found)]
    return Evaluation(
        benchmark,
        rules,
        chosen,
        _signature(benchmark, gold, rules, chosen, systems=systems, version=version)
        + "|asserted-only" * asserted,
        data,
        gold_rejects,
        scored,
        rejects,
        told,
    )


def _read(source: SystemSource | Output, rejects: Rejects) -> Output:
    if isinstance(source, Output):
        return source
    extractions = list(read_extractions(source, rejects=rejects))
    return Output(source.name, source.format, extractions)


def _check_benchmark(path: Path, name: str) -> None:
    """Refuse gold data of another benchmark: their columns would be scored as what they are not."""
    if (found := recognised_benchmark(path)) and found[0] != name:
        other, evidence = found
        what = (
            f"looks like gold data of {other}, not of {name}: {evidence}; use distval gold {other}"
        )
        raise InputError(path, what)


def _score(
    benchmark: Benchmark, gold: Gold, output: Output, mode: Mode, options: Mapping[str, str]
) -> Scored:
    def score(extractions: Sequence[Extraction]) -> Scored:
        of = replace(output, extractions=extractions)
        return benchmark.score(gold, of, mode=mode, options=options)

    found = score(output.extractions)
    if options.get(conjunctions.OPTION) == "joined":
        return conjunctions.score_joined(gold, found.judged, score)
    return found


def _mode(benchmark: Benchmark, given: str | None) -> Mode:
    for mode in benchmark.MODES:
        if given is None or mode == given:
            return mode
    raise ConfigurationError(f"--mode {given}: {benchmark.NAME} has {', '.join(benchmark.MODES)}")


def _options(benchmark: Benchmark, given: Mapping[str, str]) -> dict[str, str]:
    for option, value in given.items():
        if option not in benchmark.OPTIONS:
            raise ConfigurationError(f"--{option}: {benchmark.NAME} has no such option")
        if value not in benchmark.OPTIONS[option]:
            expected = ", ".join(benchmark.OPTIONS[option])
            raise ConfigurationError(f"--{option} {value}: expected one of {expected}")
    return {option: values[0] for option, values in benchmark.OPTIONS.items()} | dict(given)


def _name(source: SystemSource | Output) -> str:
    return source.system if isinstance(source, Output) else source.name


def _check_systems(systems: Sequence[SystemSource | Output]) -> None:
    if not systems:
        raise ConfigurationError("no system; give at least one --system NAME=FORMAT:PATH")
    names = [_name(source) for source in systems]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ConfigurationError(f"two systems are called {min(repeated)}; names must differ")
    for source in systems:
        if isinstance(source, SystemSource) and source.baseline is not None:
            raise ConfigurationError(
                f"system {source.name}: a baseline needs sentences; make its output a file with "
                "distval extract first"
            )


def _check_gold(path: Path, gold: Gold, rejects: Rejects, benchmark: str) -> None:
    """Refuse a file of which most is no gold data, or says other words than its sentences."""
    skipped = {reason: n for reason, n in rejects.counts.items() if reason != "blank line"}
    tuples = sum(len(sentence.tuples) for sentence in gold.sentences)
    if sum(skipped.values()) > tuples:
        reason = max(skipped, key=lambda reason: skipped[reason])
        raise InputError(
            path,
            f"most of it is no gold data of {benchmark}: {tuples:,} gold tuples, and "
            f"{skipped[reason]:,} × {reason} ({rejects.examples[reason]!r}); another benchmark's?",
        )
    # Tuples with places of words, columns of other meaning or tags would be scored as words.
    foreign = [
        (one.text, form)
        for one in gold.sentences
        for known in [set(tokens(one.text))]
        for form in one.tuples
        for said in [tokens(form)]
        if 2 * sum(word in known for word in said) <= len(said)
    ]
    if len(foreign) > tuples / 2:
        text, form = map(excerpt, foreign[0])
        raise InputError(
            path,
            f"not gold data of {benchmark}: {len(foreign):,} of {tuples:,} gold tuples have words "
            f"that are not in their sentences ({form} in {text})",
        )


def _asserted(extractions: Sequence[Extraction], rejects: Rejects) -> list[Extraction]:
    kept = [extraction for extraction in extractions if extraction.asserted]
    for _ in range(len(extractions) - len(kept)):
        rejects.add("not asserted")
    return kept


def _signature(
    benchmark: Benchmark,
    gold: Path,
    mode: Mode,
    options: Mapping[str, str],
    *,
    systems: Sequence[SystemSource | Output],
    version: str,
) -> str:
    outputs = (f"{_name(one)}.{_form(one)}.{_digest_of(one)}" for one in systems)
    parts = [f"distval:{version}", f"systems:{'+'.join(outputs)}"]
    parts += [f"gold:{benchmark.NAME}", f"data:{gold.name}.{_digest(gold)}", f"mode:{mode}"]
    parts += [f"{option}:{value}" for option, value in options.items()]
    if mode == "corrected":
        mends_under = getattr(benchmark, "mends_under", lambda _options: benchmark.MENDS)
        parts.append(f"mends:{'+'.join(mends_under(options))}")
    return "|".join(parts)


def _form(source: SystemSource | Output) -> str:
    return source.form if isinstance(source, SystemSource) else source.format


def _digest_of(source: SystemSource | Output) -> str:
    if isinstance(source, SystemSource):
        return _digest(source.path)
    digest = hashlib.sha256()  # of the file that they would be
    for one in source.extractions:
        digest.update(f"{line_of(one)}\n".encode())
    return digest.hexdigest()[:8]


def _digest(path: Path) -> str:
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:8]
