"""Text cut where something stands in it, for whoever shows it marked."""

from collections.abc import Iterable


def marked_parts(text: str, spans: Iterable[tuple[int, int, str]]) -> list[list[str]]:
    """Return a text cut at spans: pieces, each with the name of its span or nothing.

    Of two spans that overlap, the first counts.

    Parameters
    ----------
    text
        The text.
    spans
        First character, the one behind the last, and name; in text order.

    Examples
    --------
    >>> marked_parts("Ada met Bo.", [(0, 3, "e1"), (8, 10, "e2")])
    [['Ada', 'e1'], [' met ', ''], ['Bo', 'e2'], ['.', '']]
    """
    parts, done = [], 0
    for start, end, name in spans:
        if done <= start < end:
            parts += [[text[done:start], ""], [text[start:end], name]]
            done = end
    return [part for part in [*parts, [text[done:], ""]] if part[0]]
