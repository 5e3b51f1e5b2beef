"""FewRel's validation sets: sentences that people found to state a given Wikidata property.

Han et al., "FewRel", EMNLP 2018: ``val_wiki`` (Wikipedia), and ``val_nyt`` (New York Times), which
its authors publish beside it. Each sentence marks two entities and states one property of them.

The phrase of an alignment is the content words of the sentence between the two mentions, or of
all of the sentence outside them, which are the relation words that the candidate superset offers
for the pair. A match of one of them with the name of the property is what the method counts as
the fact stated; so the phrase with the property's label is a true alignment, and with the labels
of other properties of the same set, drawn at random, a false one.

What this can tell: how often words of real sentences meet the name of what is stated, and how
often they meet that of another relation. What it cannot: most other relations are of other kinds
of entities, while a pair's relations in a database are of its kind, and those are matched falsely
about twice as often (measured with like kinds, picked by hand); a sentence may state a second
property too ("member of" beside "member of sports team", "mother" beside "child"), which here
counts as false; and which of the words says the property nobody has marked.
"""

import zlib
from pathlib import Path
from random import Random
from typing import Any, Literal

from evaluator.errors import InputError
from evaluator.inputs import read_unpacked
from evaluator.json_objects import parse_json
from evaluator.model import Rejects
from evaluator.relations.alignments import Alignment, merge_alignments
from evaluator.relations.normal_form import relation_words
from evaluator.text import tokens

SETS = {"nyt": "val_nyt.json", "wiki": "val_wiki.json.gz"}
NAMES = "pid2name.json"

type Window = Literal["between", "sentence"]


def read_alignments(
    folder: Path,
    part: str,
    *,
    window: Window = "between",
    negatives: int = 3,
    seed: int = 2012,
    rejects: Rejects,
) -> list[Alignment]:
    """Return the alignments of one set, each distinct one weighted by its number of sentences.

    Parameters
    ----------
    folder
        Where the sets and ``pid2name.json`` are.
    part
        ``"nyt"`` or ``"wiki"``.
    window
        Which words are the phrase: those between the mentions, or all outside them.
    negatives
        False alignments for each sentence, with different properties, never its own.
    seed
        Of the draw.
    rejects
        Receives "broken record", "property without a name", and "no relation word", sentences
        without a content word in the window ("Paris, France"): no threshold finds those.

    Raises
    ------
    InputError
        If a file cannot be read or is not of this form.
    """
    names = {pid: about[0] for pid, about in load(folder / NAMES).items()}
    path = folder / SETS[part]
    sentences = load(path)
    known = sorted(pid for pid in sentences if pid in names)
    found = []
    for pid in sorted(sentences):
        for number, sentence in enumerate(sentences[pid]):
            if pid not in names:
                rejects.add("property without a name", pid)
                continue
            try:
                outside = _forms(sentence, window)
            except (LookupError, TypeError, ValueError):
                rejects.add("broken record", str(sentence))
                continue
            # Forms, not lemmas: the lemma of a lemma may be another ("rose" of "roses": "rise").
            lemmas = {*relation_words(outside)}
            words = [f for f in dict.fromkeys(outside) if lemmas.intersection(relation_words([f]))]
            if not words:
                rejects.add("no relation word", " ".join(sentence["tokens"]))
                continue
            phrase = " ".join(words)
            found.append(Alignment(phrase, names[pid], same=True))
            others = [other for other in known if names[other] != names[pid]]
            draw = Random(f"{seed}\t{pid}\t{number}")
            found += [
                Alignment(phrase, names[other], same=False)
                for other in draw.sample(others, min(negatives, len(others)))
            ]
    if not found:
        raise InputError(path, "no sentence with a relation word")
    return merge_alignments(found)


def _forms(sentence: dict[str, Any], window: Window) -> list[str]:
    """Return the tokens of a sentence outside its two mentions, or between them."""
    words = sentence["tokens"]
    places = [set(sentence[side][2][0]) for side in ("h", "t")]
    first, second = sorted(places, key=min)
    between = range(max(first) + 1, min(second))
    wanted = between if window == "between" else range(len(words))
    return [form for at in wanted if at not in first | second for form in tokens(words[at])]


def load(path: Path) -> dict[str, Any]:
    """Return the content of a set, sentences by property, or of :data:`NAMES`.

    Raises
    ------
    InputError
        If the file cannot be read or is not of this form.
    """
    try:
        loaded = parse_json(read_unpacked(path))
    except (EOFError, zlib.error):
        raise InputError(path, "truncated file; fetch it again") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise InputError(path, f"not JSON ({error})") from None
    if not isinstance(loaded, dict):
        raise InputError(path, "not an object from property to sentences or names")
    return loaded
