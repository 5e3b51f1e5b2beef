"""The first pages of the English Wikipedia, as they are in its dump."""

import bz2
import re
from pathlib import Path

import pytest

from evaluator.model import Rejects
from indexes.collections.base import Document
from indexes.collections.mediawiki import FORMAT


@pytest.fixture(scope="module")
def dump(data: Path) -> Path:
    [file] = (data / "enwiki_dump_sample").glob("*.bz2")
    return file


@pytest.fixture(scope="module")
def articles(dump: Path) -> tuple[dict[str, Document], Rejects]:
    rejects = Rejects()
    with bz2.open(dump) as stream:
        records = FORMAT.frame(stream, dump.name, rejects)
        found = [FORMAT.decode(content, where, rejects) for where, content in records]
    return {article.title: article for article in found if article}, rejects


def test_every_page_is_an_article_or_counted(dump, articles):
    # Counted as grep would; its SOURCE.md says 206 pages.
    lines = bz2.decompress(dump.read_bytes()).decode().splitlines()
    pages = lines.count("  <page>")
    elsewhere = sum("<ns>" in line and "<ns>0</ns>" not in line for line in lines)
    redirects = sum("<redirect " in line for line in lines)
    found, rejects = articles
    assert pages == 206
    assert rejects.counts["not an article"] == elsewhere
    # The one page of another namespace redirects as well.
    assert rejects.counts["redirect"] == redirects - elsewhere
    assert len(found) == pages - redirects == 106


def test_an_article_reads_as_on_its_page(articles):
    found, _ = articles
    autism = found["Autism"]
    assert autism.id == "25"
    # Behind a template of synonyms, an infobox, comments and references in the source.
    assert autism.text.startswith(
        "Autism is a neurodevelopmental disorder characterized by impaired social interaction,"
        " verbal and non-verbal communication, and restricted and repetitive behavior. Parents"
    )
    assert found["Albedo"].text.splitlines()[0].startswith("Albedo (")


def test_hardly_any_markup_is_left(articles):
    found, _ = articles
    text = "\n".join(article.text for article in found.values())
    assert len(text) > 2_500_000
    for mark in ("[[", "]]", "{{", "}}", "{|", "|thumb", "thumb|", "<ref", "</ref", "Category:"):
        assert mark not in text, mark
    assert not re.findall(r"''|</?[a-z]+>", text)
