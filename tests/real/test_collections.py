"""Collections on public data: two files of WikiExtractor's plain text of Wikipedia."""

from html import unescape
from itertools import islice

from evaluator.model import Rejects
from indexes.collections import decode, detect_format, read_records


def test_the_first_articles_of_an_archive(data):
    path = data / "wikipedia2015" / "enwiki2015_AA_AC.tar.xz"
    assert detect_format(path) == "wikiextractor"
    rejects = Rejects()
    records = list(islice(read_records(path, format="wikiextractor", rejects=rejects), 200))
    documents = [decode(record, format="wikiextractor", rejects=rejects) for record in records]
    assert rejects.counts == {}
    assert documents[0][:2] == ("12737", "Gunpowder")
    assert records[0].where == "AA/wiki_93:1"
    assert records[-1].where.partition(":")[0] != "AA/wiki_93"
    # WikiExtractor begins every text with its title, with some characters as HTML writes them.
    assert all(
        document.title and unescape(document.text).startswith(document.title)
        for document in documents
    )
    assert len({document.id for document in documents}) == 200
