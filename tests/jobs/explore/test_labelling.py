"""The labelling pages over HTTP: a form is an answer on disk, and nothing else is written."""

import errno
import json
import os
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from re import findall

import pytest
import requests

from evaluator.errors import ConfigurationError, InputError, SetupError
from evaluator.labels.answers import all_answers
from evaluator.labels.design_file import read_design
from evaluator.whole_files import write_whole
from jobs.config import Configuration
from jobs.explore.app import _status
from jobs.labels.draw import DrawChoice, draw
from jobs.rundir import content_digest
from tests.jobs.explore.servers import IMAGE, SCRIPT, serving

pytestmark = pytest.mark.jvm


@pytest.fixture(scope="module")
def folder(finished: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A label folder whose first fact is full of markup."""
    folder = tmp_path_factory.mktemp("labelling") / "labels"
    draw(finished.run, folder, DrawChoice(40, raters=("ann", "bob"), double=1.0))
    design = json.loads((folder / "design.json").read_text("utf-8"))
    sentence = f"{SCRIPT} met {IMAGE}."
    spans = [[0, len(SCRIPT), "e1"], [len(SCRIPT) + 5, len(sentence) - 1, "e2"]]
    design["facts"][0] |= {"name1": SCRIPT, "name2": IMAGE, "sentence": sentence, "spans": spans}
    (folder / "design.json").write_text(json.dumps(design), "utf-8")
    return folder


@pytest.fixture(scope="module")
def address(finished: Configuration, folder: Path) -> Iterator[str]:
    before = content_digest(finished.run), {path.name for path in folder.iterdir()}
    with serving(finished.run, "--labels", folder) as served:
        yield served
    # Of the label folder only the answers and the lock are new.
    now = {path.name for path in folder.iterdir()}
    assert (content_digest(finished.run), now - {"answers.jsonl", ".lock"}) == before


@pytest.fixture
def asked(folder: Path) -> Iterator[list[str]]:
    """The ids of the facts; nothing is answered, before and after."""
    (folder / "answers.jsonl").unlink(missing_ok=True)
    yield [fact["id"] for fact in json.loads((folder / "design.json").read_text())["facts"]]
    (folder / "answers.jsonl").unlink(missing_ok=True)


def post(address: str, rater: str, origin: str | None = None, **form: str) -> requests.Response:
    headers = {"Origin": origin or address}
    return requests.post(
        f"{address}/label/{rater}", form, headers=headers, allow_redirects=False, timeout=30
    )


def get(address: str, path: str) -> requests.Response:
    return requests.get(address + path, allow_redirects=False, timeout=60)


def said(folder: Path) -> list[tuple[str, str, str, bool | None, str]]:
    return [(a.rater, a.id, a.said, a.stated, a.comment) for a in all_answers(folder)]


def test_a_form_is_an_answer_on_disk_and_leads_to_the_next_fact(
    address: str, folder: Path, asked: list[str]
) -> None:
    first = get(address, "/label/ann").headers["Location"].partition("fact=")[2]
    comment = " so\n it is \x1b"
    kept = post(address, "ann", fact=first, label="true", stated="no", comment=comment)
    assert kept.status_code == 303
    assert said(folder) == [("ann", first, "true", False, "so it is \\x1b")]
    second = kept.headers["Location"].partition("fact=")[2].partition("&")[0]
    assert second in asked
    assert second != first
    assert kept.headers["Location"] == f"/label/ann?fact={second}&last={first}"
    page = get(address, f"/label/ann?fact={first}").text
    assert 'value="true" data-key="1" aria-keyshortcuts="1" checked' in page
    assert 'value="so it is \\x1b"' in page

    post(address, "ann", fact=second, label="skip", last=first)
    undone = post(address, "ann", do="undo", last=f"{first}.{second}")
    assert undone.headers["Location"] == f"/label/ann?fact={second}&last={first}"
    assert [row[1] for row in said(folder)] == [first]
    post(address, "ann", do="undo", last=first)
    assert said(folder) == []


def test_after_the_last_fact_all_raters_are_shown(
    address: str, folder: Path, asked: list[str]
) -> None:
    for fact in asked[:-1]:
        post(address, "bob", fact=fact, label="false")
    done = post(address, "bob", fact=asked[-1], label="link wrong").headers["Location"]
    assert done == f"/labels?done=bob&last={asked[-1]}"
    page = " ".join(get(address, done).text.split())
    back = f"/label/bob?fact={asked[-1]}&amp;last={asked[-1]}"
    assert f'bob: all facts are answered. <a href="{back}"' in page
    assert "All raters are done" not in page  # ann has not begun
    assert f'>bob</a></th><td class="number">{len(asked)}</td>' in page
    # Who is done can go through all answers again, from the first.
    first = get(address, "/label/bob").headers["Location"].partition("fact=")[2]
    changed = post(address, "bob", fact=first, label="true").headers["Location"]
    assert changed.startswith("/label/bob?fact=")
    assert f"fact={first}" not in changed
    post(address, "bob", fact=first, label="false")
    assert "Two raters agree" not in get(address, "/labels/figures").text
    post(address, "ann", fact=asked[0], label="true")
    figures = unescape(get(address, "/labels/figures").text)
    assert "Two raters agree: ann and bob on 0 of 1." in " ".join(figures.split())
    assert get(address, "/label/adjudicator").headers["Location"].endswith(f"fact={asked[0]}")


def test_what_is_no_answer_changes_nothing(address: str, folder: Path, asked: list[str]) -> None:
    fact = asked[0]
    for refused in (
        post(address, "ann", fact=fact),
        post(address, "ann", fact=fact, label="perhaps"),
        post(address, "ann", fact=fact, label="true", stated="perhaps"),
        post(address, "ann", fact="0" * 16, label="true"),
        post(address, "cyd", fact=fact, label="true"),
        post(address, "ann", do="undo"),
    ):
        assert refused.status_code == 400
        assert "Traceback" not in refused.text
    assert "asks no rater cyd (it asks ann, bob)" in post(address, "cyd", fact=fact).text
    assert post(address, "ann", fact=fact, label="true", comment="x" * 70_000).status_code == 413
    assert said(folder) == []


def test_an_answer_that_cannot_be_kept_is_the_servers_fault(
    address: str, folder: Path, asked: list[str], tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text("")
    (folder / "answers.jsonl").symlink_to(elsewhere)
    refused = post(address, "ann", fact=asked[0], label="true")
    assert refused.status_code == 500
    assert "answers.jsonl: is a symbolic link; put the file itself in its place" in refused.text
    assert elsewhere.read_text() == ""
    (folder / "answers.jsonl").unlink()
    assert post(address, "ann", fact=asked[0], label="true").status_code == 303


def test_a_status_tells_whose_fault_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device") as error:
        write_whole(tmp_path / "answers.jsonl", "one")
    assert _status(error.value) == 507
    with pytest.raises(InputError, match="no such file") as error:
        read_design(tmp_path)
    assert _status(error.value) == 500
    assert _status(ConfigurationError("asks no rater cyd")) == 400
    assert _status(SetupError("an import is at work here")) == 503


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_another_sites_page_answers_nothing(
    address: str, folder: Path, asked: list[str], origin: str
) -> None:
    sent = post(address, "ann", origin, fact=asked[0], label="true")
    assert sent.status_code == 403
    assert said(folder) == []


def test_pages_have_their_style_and_script(address: str) -> None:
    for file in ("page.css", "label.js", "page.js"):
        assert get(address, f"/static/{file}").status_code == 200
    style = get(address, "/static/page.css").text
    # Every colour that is used is one of the report's.
    assert set(findall(r"var\(--([a-z0-9-]+)\)", style)) <= set(findall(r"--([a-z0-9-]+):", style))


def test_markup_shows_as_text(address: str, asked: list[str]) -> None:
    page = get(address, f"/label/ann?fact={asked[0]}").text
    assert SCRIPT not in page
    assert IMAGE not in page
    marked = "&lt;script&gt;document.title = &#39;broken&#39;&lt;/script&gt;</mark> met <mark"
    assert marked in page
