"""The collection formats by name."""

from evaluator.errors import ConfigurationError, choices
from indexes.collections import jsonl, mediawiki, nitf, plain_text, trec, warc, wet, wikiextractor
from indexes.collections.base import CollectionFormat

FORMATS: dict[str, CollectionFormat] = {
    each.name: each
    for each in (
        wikiextractor.FORMAT,
        jsonl.FORMAT,
        plain_text.FORMAT,
        trec.TRECTEXT,
        trec.TRECWEB,
        warc.CLUEWEB09,
        warc.CLUEWEB12,
        warc.WARC,
        wet.FORMAT,
        nitf.FORMAT,
        mediawiki.FORMAT,
    )
}


def format_named(name: str) -> CollectionFormat:
    """Return the format of that name; a ConfigurationError names those there are."""
    if name not in FORMATS:
        known = choices(name, ["auto", *FORMATS])
        raise ConfigurationError(f"unknown format {name!r} of a collection; {known}")
    return FORMATS[name]
