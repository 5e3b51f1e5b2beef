"""Counting what a command reads as it goes by."""

from collections.abc import Iterable, Iterator


class Counted[Item]:
    """Iterates once and keeps the count."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self.count = 0

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            self.count += 1
            yield item
