"""From damaged files of the web and of the press to an index: what is kept, what is counted."""

import bz2
import gzip
import tarfile
from io import BytesIO

import pytest

from indexes.text.build import build_collection
from indexes.text.index import TextIndex
from tests.indexes.collections.test_nitf import ARTICLE
from tests.indexes.collections.test_warc import INFO_09, clueweb09, clueweb12
from tests.indexes.collections.test_wet import record as wet
from tests.indexes.engines import InText, element

MARSH = "Lena Marsh founded Kelp."
FACT = element("Lena Marsh"), element("founded"), element("Kelp")


def packed(*records):
    """Records as crawls pack them: each a gzip member of its own."""
    return b"".join(map(gzip.compress, records))


def archive(**files):
    """A packed archive of files."""
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as members:
        for name, content in files.items():
            member = tarfile.TarInfo(f"2005/06/{name}.xml")
            member.size = len(content)
            members.addfile(member, BytesIO(content))
    return stream.getvalue()


def article(number, text):
    return ARTICLE.replace("1234567", number).replace("LEAD: Lena Marsh was\n elected.", text)


COLLECTIONS = {
    "clueweb09.warc.gz": (
        packed(
            INFO_09,
            clueweb09(1, f"<p>{MARSH}</p>"),
            clueweb09(2, f"<p>{MARSH} Its length is wrong.", length=90),
            clueweb09(3, "<table><tr><td>Lena Marsh</td><td>founded</td><td>Kelp</td></table>"),
            clueweb09(1, "<p>The first page again."),
            clueweb09(4, f"<p>{MARSH} The file ends before it.")[:-20],
        ),
        InText(2, 2, 2),
        2,
        {
            "not a response (warcinfo)": 1,
            "wrong Content-Length": 1,
            "duplicate id": 1,
            "record cut short": 1,
        },
    ),
    "clueweb12.warc.gz": (
        packed(
            clueweb12(1, f"<p>{MARSH}"),
            clueweb12(2, f"<p>Kelp, says Lena Marsh, {'was ' * 9} founded.", more=0),
            clueweb12(3, f"<p>{MARSH} Its length is wrong.", more=40),
        )[:-30],
        InText(2, 2, 1),
        2,
        {"truncated file": 1, "record cut short": 1},
    ),
    "crawl.wet.gz": (
        packed(
            wet("warcinfo", "0", b"software: x\r\n"),
            wet("conversion", "a", MARSH.encode()),
            wet("conversion", "b", MARSH.encode(), length=5),
            wet("conversion", "c", b"Kelp and Lena Marsh"),
        ),
        InText(2, 1, 1),
        2,
        {"not a conversion (warcinfo)": 1, "wrong Content-Length": 1},
    ),
    "nyt.tgz": (
        archive(
            a=article("1", MARSH).encode(),
            b=article("2", MARSH).encode()[:-30],
            c=article("3", MARSH).replace("full_text", "online_lead").encode(),
            d=article("1", "The first article again.").encode(),
        ),
        InText(1, 1, 1),
        1,
        {"broken XML": 1, "no full text": 1, "duplicate id": 1},
    ),
    "dump.xml.bz2": (
        bz2.compress(
            b'<mediawiki xml:lang="en">\n'
            b"  <page>\n    <title>Kelp</title>\n    <ns>0</ns>\n    <id>1</id>\n"
            b"    <revision><text>'''Kelp''' was [[found|founded]] by [[Lena Marsh]].</text>"
            b"</revision>\n  </page>\n"
            b"  <page>\n    <title>Talk:Kelp</title>\n    <ns>1</ns>\n    <id>2</id>\n"
            b"    <revision><text>Lena Marsh founded Kelp.</text></revision>\n  </page>\n"
            b"  <page>\n    <title>Kelps</title>\n    <ns>0</ns>\n    <id>3</id>\n"
            b'    <redirect title="Kelp" />\n'
            b"    <revision><text>#REDIRECT [[Kelp]]</text></revision>\n  </page>\n"
            b"</mediawiki>\n"
        ),
        InText(1, 1, 1),
        1,
        {"not an article": 1, "redirect": 1},
    ),
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_what_is_sound_is_counted_in_and_what_is_not_is_counted_out(tmp_path, name):
    content, counts, documents, rejects = COLLECTIONS[name]
    (tmp_path / name).write_bytes(content)
    manifest = build_collection(tmp_path / name, tmp_path / "index")
    assert manifest.documents == documents
    assert manifest.rejects == rejects
    with TextIndex.open(tmp_path / "index") as index:
        [found] = index.count([FACT], x=4)
        assert found[:3] == counts
