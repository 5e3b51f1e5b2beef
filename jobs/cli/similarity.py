"""``distval similarity``: how a relation of a text and one of a knowledge base are compared."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from evaluator.relations.normal_form import relation_form, relation_name_words
from evaluator.wordnet.lexicon import wordnet
from evaluator.wordnet.similarity import IDENTICAL, Explanation, InformationContent, JiangConrath
from evaluator.wordnet.similarity import similarity as make_similarity
from jobs.bounds import ADDED, SHARE
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.files import READS, WRITES
from jobs.cli.output import Json, console, errors, figure, print_json, table
from jobs.config import MatchSettings

_COMPARE = "compare"
DEFAULTS = MatchSettings()
"""What a run compares by, unless it says otherwise."""


class _ComparingGroup(TyperGroup):
    """Takes two phrases for what the command ``compare`` is asked, so that it need not be named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [_COMPARE, *args]
        return super().parse_args(ctx, args)


similarity = Commands(
    cls=_ComparingGroup,
    help="How similar two relations are.",
    no_args_is_help=True,
)

Ic = Annotated[
    Path | None,
    typer.Option("--ic", help="Information content: an ic-*.dat file; default: sense tags."),
    READS,
]
Derivations = Annotated[bool, typer.Option(help="A word also has the senses derived from its own.")]
SenseShare = Annotated[
    float, within(SHARE, help="Leave out senses below this share of a word's tagged occurrences.")
]


@similarity.command(_COMPARE, example='distval similarity "born in" "place of birth"')
def compare(
    phrase: Annotated[str, typer.Argument(help="A relation as a text has it.")],
    relation: Annotated[str, typer.Argument(help="The name of a relation of a knowledge base.")],
    ic: Ic = None,
    derivations: Derivations = DEFAULTS.derivations,
    sense_share: SenseShare = DEFAULTS.sense_share,
    as_json: Json = False,
) -> None:
    """Show how similar two relations are, word by word.

    Each word of the phrase is compared with each word of the relation's name.
    """
    measure = make_similarity(ic, derivations=derivations, sense_share=sense_share)
    words1, words2 = relation_form(phrase).lemmas, relation_name_words(relation)
    pairs = [measure.explain(word1, word2) for word1 in words1 for word2 in words2]
    best = measure.relations(words1, words2)
    rows = [_as_json(pair, best=pair.similarity[:3] == best[:3], measure=measure) for pair in pairs]
    if as_json:
        print_json(
            {
                "phrase": {"text": phrase, "words": list(words1)},
                "relation": {"name": relation, "words": list(words2)},
                "information_content": measure.information_content.source,
                "derivations": derivations,
                "sense_share": sense_share,
                "pairs": rows,
                "best": next((row for row in rows if row["best"]), None),
            }
        )
        return
    _print(phrase, words1, relation, words2, rows)


@similarity.command("ic", example="distval similarity ic runs/index/articles --out ic-mine.dat")
def information_content(
    index: Annotated[Path, typer.Argument(help="A text index."), READS],
    out: Annotated[Path, typer.Option(help="File to write, such as ic-collection.dat."), WRITES],
    smoothing: Annotated[
        float, within(ADDED, help="Occurrences added to every sense, so that none is unseen.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Write information content from the words of an index.

    It is the information content of WordNet's senses.
    """
    from indexes.text.index import TextIndex

    shipped = wordnet()
    forms = shipped.content_forms()
    with TextIndex.open(index) as opened, errors.status(f"counting {len(forms):,} forms …"):
        counts = dict(zip(forms, opened.term_counts(forms), strict=True))
    content = InformationContent.from_word_counts(
        counts, shipped, smoothing=smoothing, source=index.name
    )
    content.write_nltk_file(out, shipped)
    told = {
        "out": str(out),
        "forms": len(forms),
        "seen": sum(count > 0 for count in counts.values()),
        "occurrences": sum(counts.values()),
        "smoothing": smoothing,
        "nouns": content.totals["n"],
        "verbs": content.totals["v"],
    }
    if as_json:
        print_json(told)
    else:
        console.print(
            f"{out}: {told['occurrences']:,} occurrences of {told['seen']:,} forms",
            markup=False,
            soft_wrap=True,
        )


def _as_json(pair: Explanation, *, best: bool, measure: JiangConrath) -> dict[str, Any]:
    """Return a pair of words as strict JSON: where words are identical, there is no score."""
    found = pair.similarity
    identical = pair.verdict == "identical"

    def sense(name: str | None, content: float | None) -> dict[str, Any] | None:
        if name is None:
            return None
        seen = content is not None and math.isfinite(content)
        return {"name": name, "information": content if seen else None, "seen": seen}

    return {
        "word": found.word1,
        "relation_word": found.word2,
        "sense": sense(found.sense1, pair.content1),
        "relation_sense": sense(found.sense2, pair.content2),
        "subsumer": sense(found.subsumer, pair.content),
        "score": None if identical else found.score,
        "identical": identical,
        "verdict": pair.verdict,
        "without_sense": [
            word for word in (found.word1, found.word2) if not measure.has_senses(word)
        ],
        "best": best,
    }


def _print(
    phrase: str,
    words1: Sequence[str],
    relation: str,
    words2: Sequence[str],
    rows: Sequence[dict[str, Any]],
) -> None:
    def named(sense: dict[str, Any] | None) -> tuple[str, str]:
        if sense is None:
            return "–", "–"
        return sense["name"], figure(sense["information"]) if sense["seen"] else "unseen"

    made = table(
        f'"{phrase}" ({" ".join(words1) or "no content word"}) and '
        f'"{relation}" ({" ".join(words2) or "no content word"})',
        ["word", "of relation", "sense", "IC", "of relation", "IC", "subsumer", "IC", "score", ""],
        [
            [
                Text(("* " if row["best"] else "  ") + row["word"]),
                row["relation_word"],
                *named(row["sense"]),
                *named(row["relation_sense"]),
                *named(row["subsumer"]),
                figure(IDENTICAL if row["identical"] else row["score"]),
                _said(row),
            ]
            for row in rows
        ],
    )
    for place, justify in enumerate(("left", "left", "left", "right") + ("left", "right") * 2):
        made.columns[place].justify = justify  # type: ignore[assignment]
    made.columns[-1].justify = "left"
    if not rows:
        console.print(Text(f"{made.title}: no content words to compare"))
        return
    console.print(made)
    console.print("* the closest words: the similarity of the relations is theirs")


def _said(row: dict[str, Any]) -> str:
    if row["verdict"] == "no sense":
        return f"no WordNet sense: {', '.join(row['without_sense'])}"
    return "" if row["verdict"] in ("related", "identical") else str(row["verdict"])
