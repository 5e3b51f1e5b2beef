"""Reading a text in a format, and texts that are almost in it."""

from hypothesis import strategies as st

from evaluator.model import Extraction, Rejects
from evaluator.readers import formats
from evaluator.readers._detection import recognised_by


def read(format_name: str, text: str) -> tuple[list[Extraction], Rejects]:
    """Return what the reader of a format gets from a file's text, and what it counts."""
    rejects = Rejects()
    lines = enumerate(text.split("\n"), start=1)
    return list(formats()[format_name].read(lines, system="system", rejects=rejects)), rejects


def known_as(text: str) -> list[str]:
    """Return the formats that recognise a file's text."""
    return recognised_by(text.split("\n")[:200])


def triple(extraction: Extraction) -> tuple[str, ...]:
    return (
        extraction.arg1,
        extraction.relation,
        extraction.arg2,
        *extraction.more_arguments,
    )


def almost(text: str) -> st.SearchStrategy[str]:
    """Return texts with some pieces of `text` cut, repeated or replaced by anything."""
    piece = st.tuples(st.integers(0, len(text)), st.integers(0, 12), st.text(max_size=6))
    signs = st.text(alphabet="\t\n ;,:()[]{}<>/\"'.019LSCix", max_size=6)

    def change(pieces: list[tuple[int, int, str]], inserted: list[str]) -> str:
        changed = text
        for (start, length, _), new in zip(pieces, inserted, strict=False):
            changed = changed[:start] + new + changed[start + length :]
        return changed

    return st.builds(
        change,
        st.lists(piece, max_size=8),
        st.lists(st.one_of(signs, st.text(max_size=6)), max_size=8),
    ).map(lambda changed: changed.replace("\r", " "))
