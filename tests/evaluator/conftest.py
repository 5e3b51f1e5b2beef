"""WordNets to test with: a whole one that NLTK reads, where there is one, and a small made one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.wordnet.compiling import compile_wordnet, open_dict
from evaluator.wordnet.lexicon import WordNet, wordnet

# Synsets of the small WordNet: words, pointers to the synsets above, and the tags of each word.
# A president is a leader and an official, and so a person on two paths.
_NOUNS = {
    "entity": (["entity"], [], {}),
    "person": (["person", "Earthling"], [("@", "entity")], {"person": 2}),
    "leader": (["leader"], [("@", "person")], {"leader": 2}),
    "official": (["official"], [("@", "person")], {}),
    "president": (["president"], [("@", "leader"), ("@", "official")], {"president": 4}),
    "Obama": (["Obama"], [("@i", "president")], {}),
}
_VERBS = {
    "move": (["move"], [], {}),
    "go": (["go", "travel"], [("@", "move")], {"go": 2, "travel": 1}),
    "visit": (["visit"], [("@", "go")], {"visit": 1}),
    "wander": (["wander"], [("@", "go")], {}),
    "drift": (["drift"], [("@", "wander")], {}),
    "rove": (["rove"], [("@", "wander")], {}),
    "think": (["think"], [], {"think": 3}),
    "lead": (["lead", "go"], [], {"lead": 0, "go": 1}),
}
_VERSION = "  1 WordNet 3.0 Copyright 2006 by Princeton University.  \n"


@pytest.fixture(scope="session")
def dict_folder() -> Path:
    """A WordNet 3.0 dict folder of the machine: WNHOME, Debian's package, or NLTK's data."""
    import nltk

    home = os.environ.get("WNHOME")
    places = [Path(home), Path(home, "dict")] if home else []
    places.append(Path("/usr/share/wordnet"))
    places += [Path(place, "corpora", "wordnet") for place in nltk.data.path]
    for place in places:
        if (place / "data.noun").is_file():
            return place
    pytest.skip("no WordNet 3.0 dict folder: set WNHOME or install wordnet-base")


@pytest.fixture(scope="session")
def nltk_wordnet(dict_folder: Path) -> Iterator[object]:
    """NLTK's reader on that folder."""
    with open_dict(dict_folder) as reader:
        yield reader


@pytest.fixture(scope="session")
def small_dict(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dict folder with six nouns and eight verbs, in the format of wndb(5WN)."""
    folder = tmp_path_factory.mktemp("dict")
    counts = [
        *_write_part(folder, "noun", "n", _NOUNS),
        *_write_part(folder, "verb", "v", _VERBS),
        "travel%3:00:00:: 1 2",
        "wandering%5:00:00:stray:00 1 6",
    ]
    (folder / "cntlist.rev").write_text("\n".join(counts) + "\n")
    (folder / "noun.exc").write_text("people person\n")
    (folder / "verb.exc").write_text("gone go\nled lead\nthought think\nwent go\n")
    for part in ("adj", "adv"):
        (folder / f"data.{part}").write_text(_VERSION)
        (folder / f"index.{part}").write_text(_VERSION)
        (folder / f"{part}.exc").write_text("")
    return folder


@pytest.fixture(scope="session")
def small_wordnet(small_dict: Path, tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    """The small dict folder, compiled and read."""
    out = tmp_path_factory.mktemp("compiled") / "small.npz"
    compile_wordnet(small_dict, out)
    return wordnet(out)


def _write_part(folder: Path, part: str, pos: str, synsets: dict) -> list[str]:
    """Write data and index of a part of speech; return the lines of cntlist.rev."""

    ids: dict[tuple[str, str], int] = {}  # lex_id of a word in a synset: its earlier synsets
    for name, (words, _, _) in synsets.items():
        for word in words:
            ids[name, word] = sum(other == word for _, other in ids)

    def line(name: str, offsets: dict[str, int]) -> str:
        words, pointers, _ = synsets[name]
        above = "".join(f" {kind} {offsets[up]:08d} {pos} 0000" for kind, up in pointers)
        named = " ".join(f"{word} {ids[name, word]:x}" for word in words)
        frames = " 01 + 02 00" if pos == "v" else ""
        return (
            f"{offsets[name]:08d} 03 {pos} {len(words):02x} {named} {len(pointers):03d}"
            f"{above}{frames} | {name}  \n"
        )

    offsets = dict.fromkeys(synsets, 0)  # eight digits, whatever the offset
    place = len(_VERSION)
    for name in synsets:
        offsets[name], place = place, place + len(line(name, offsets))
    (folder / f"data.{part}").write_text(
        _VERSION + "".join(line(name, offsets) for name in synsets)
    )

    senses: dict[str, list[int]] = {}
    counts = []
    for name, (words, _, tags) in synsets.items():
        for word in words:
            senses.setdefault(word.lower(), []).append(offsets[name])
            if tags.get(word):
                key = f"{word}%{1 if pos == 'n' else 2}:03:{ids[name, word]:02d}::"
                counts.append(f"{key} {len(senses[word])} {tags[word]}")
    (folder / f"index.{part}").write_text(_VERSION + "".join(
        f"{word} {pos} {len(rows)} 0 {len(rows)} 0 {' '.join(f'{row:08d}' for row in rows)}  \n"
        for word, rows in sorted(senses.items())
    ))  # fmt: skip
    return counts
