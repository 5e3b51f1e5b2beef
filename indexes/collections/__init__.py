"""Text collections: the documents that a text index is built from.

A collection is one file, a folder of files, or a tar archive, and may hold archives; all of them
plain or compressed (gzip, bzip2, xz, Zstandard). Its format says what the files hold:

=================  ==============================================================================
``wikiextractor``  ``<doc id=".." url=".." title="..">``, text, ``</doc>``
``jsonl``          one JSON object a line with ``id``, ``text`` and, optionally, ``title``
``text``           each file is a document, and its path is its id
``trectext``       ``<DOC>`` with ``<DOCNO>`` and ``<TEXT>``, as in the news collections of TREC
``trecweb``        ``<DOC>`` with ``<DOCNO>``, ``<DOCHDR>`` and a page, as in GOV2
``clueweb09``      web archives of ClueWeb09; and ``clueweb12``
``warc``           web archives of Common Crawl; and ``wet``, their text
``nitf``           news articles in XML, one a file, as in the New York Times corpus
``mediawiki``      the dump of a wiki: ``pages-articles.xml``
=================  ==============================================================================

A record that cannot be used is counted in the `rejects` and passed over, and so is what is missing
behind the damaged place of a file; in a compressed file of many pieces, those behind a damaged one
are read. A file of which nothing can be read is an error.
"""

from indexes.collections.base import CollectionFormat, Document, Record
from indexes.collections.detection import detect_format
from indexes.collections.documents import (
    DAMAGE,
    decode,
    no_documents,
    read_collection,
    read_records,
)
from indexes.collections.files import collection_files
from indexes.collections.formats import FORMATS

__all__ = [
    "DAMAGE",
    "FORMATS",
    "CollectionFormat",
    "Document",
    "Record",
    "collection_files",
    "decode",
    "detect_format",
    "no_documents",
    "read_collection",
    "read_records",
]
