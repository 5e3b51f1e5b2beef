"""Counting facts in words on a text index, and what a knowledge base knows."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from evaluator.counting.definition import REACH, Counts, Denominator, Variant, pmi
from evaluator.model import Item
from indexes.kb.knowledge_base import KnowledgeBase
from indexes.text.index import TextIndex
from indexes.text.snippets import Snippet
from jobs.evidence.given_facts import Elements

if TYPE_CHECKING:
    import pyarrow as pa


class Index:
    """An open text index, asked in words; a context manager. :func:`open_index` opens it.

    A relation phrase stands for its head in every inflection, an entity for its own words or, with
    a knowledge base, for all its names there. Counts are in documents.
    """

    def __init__(self, index: TextIndex, elements: Elements) -> None:
        self._index, self._elements = index, elements

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        self._index.close()

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self._index.manifest.documents

    def count(
        self,
        e1: str,
        r: str,
        e2: str,
        *,
        x: int = 4,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
    ) -> Counts:
        """Return the hit counts of one fact (Bronzi et al. 2012, section 2.2).

        Parameters
        ----------
        e1, r, e2
            The fact in words: ``"Marie Curie", "was born in", "Warsaw"``.
        x
            Most words between e1 and r, and between r and e2, for PROXIMITY.
        reach
            Most words between r and e2 for ANCHORED.
        ordered
            Ask for e1 before r before e2.
        denominator
            "and": the pair anywhere in a document; "near": near each other.

        Raises
        ------
        ConfigurationError
            For an option out of range.
        """
        (counts,) = self._counts([(e1, r, e2)], x, reach, ordered, denominator)
        return counts

    def counts(
        self,
        facts: Iterable[Item],
        *,
        x: int = 4,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
    ) -> "pa.Table":
        """Return the hit counts of many facts as an Arrow table, null where one is not defined.

        Many facts at a time are much cheaper than one. Options are those of :meth:`count`.
        """
        import pyarrow as pa

        from jobs.evidence.fact_files import with_counts

        asked = list(facts)
        columns = zip(*asked, strict=True) if asked else ((), (), ())
        block = pa.table(
            {
                name: pa.array(column, pa.string())
                for name, column in zip(("e1", "r", "e2"), columns, strict=True)
            }
        )
        return with_counts(block, self._counts(asked, x, reach, ordered, denominator))

    def pmi(
        self,
        e1: str,
        r: str,
        e2: str,
        variant: Variant = "proximity",
        *,
        x: int = 4,
        reach: int = REACH,
        ordered: bool = False,
        denominator: Denominator = "and",
    ) -> float | None:
        """Return the PMI of one fact; None where it is undefined.

        It is undefined, not 0, where no document holds the pair (for "anchored": where no document
        about e1 holds e2). Options are those of :meth:`count`.
        """
        counts = self.count(e1, r, e2, x=x, reach=reach, ordered=ordered, denominator=denominator)
        return pmi(counts, variant)

    def snippets(
        self, e1: str, r: str, e2: str, *, x: int = 4, reach: int = REACH, most: int = 3
    ) -> list[Snippet]:
        """Return excerpts of the documents in which a fact stands, the closest first."""
        of = self._elements
        return self._index.snippets(
            of.entity(e1), of.relation(r), of.entity(e2), x=x, reach=reach, most=most
        )

    def _counts(
        self, facts: list[Item], x: int, reach: int, ordered: bool, denominator: Denominator
    ) -> list[Counts]:
        e1, r, e2 = ([fact[place] for fact in facts] for place in range(3))
        table = self._elements.table(e1, r, e2)
        hits = self._index.hits(table, x=x, reach=reach, ordered=ordered, denominator=denominator)
        return table.counts(hits)


def open_index(path: str | Path, *, kb: str | Path | None = None) -> Index:
    """Open a text index (``distval index build``). Java starts here, not before.

    Parameters
    ----------
    path
        Folder of the index.
    kb
        Folder of a knowledge base, to count entities by all their names.

    Raises
    ------
    InputError
        Where there is no index or knowledge base, or a damaged one.
    SetupError
        Where there is no Java to be had.
    """
    elements = Elements.of(None if kb is None else Path(kb))
    return Index(TextIndex.open(Path(path)), elements)


def open_kb(path: str | Path) -> KnowledgeBase:
    """Open a knowledge base (``distval kb build``).

    Raises
    ------
    InputError
        Where there is none, or a damaged one.
    """
    return KnowledgeBase.open(Path(path))
