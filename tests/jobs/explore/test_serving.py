"""The explorer's server: what it shows, what it refuses, and that it leaves the run as it is."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import unescape
from pathlib import Path

import pytest
import requests

from indexes.text.build import build_collection
from jobs.config import Configuration
from jobs.explore.filters import FactFilter
from jobs.run.facts_table import FactsTable
from jobs.rundir import content_digest
from tests.jobs.commands import refused
from tests.jobs.explore.servers import HOSTILE, IMAGE, SCRIPT, copied, run_of_markup, serving
from tests.jobs.sample_runs import of_sample, run

pytestmark = pytest.mark.jvm


@pytest.fixture(scope="module")
def address(finished: Configuration) -> Iterator[str]:
    before = content_digest(finished.run)
    with serving(finished.run) as served:
        yield served
    assert content_digest(finished.run) == before


@pytest.fixture(scope="module")
def rows(finished: Configuration) -> list[dict]:
    with FactsTable.open(finished.run, workers=1) as table:
        return table.rows()


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def found(page: str) -> int:
    [number] = re.findall(r"([\d,]+) of [\d,]+ facts", text_of(page))
    return int(number.replace(",", ""))


def test_a_list_has_the_facts_that_its_address_asks_for(address: str, rows: list[dict]) -> None:
    def names(row: dict) -> str:
        return f"{row['name1']} {row['r']} {row['name2']}".lower()

    def matching(condition) -> int:
        number = sum(map(condition, rows))
        assert 0 < number < len(rows)
        return number

    def least(row: dict) -> int:
        return min(row["degree1"] or 0, row["degree2"] or 0)

    for query, condition in {
        "q=ada+MEET": lambda row: "ada" in names(row) and "meet" in names(row),
        "system=beta": lambda row: "beta" in row["systems"],
        "system=beta&region=d": lambda row: row["regions"]["beta"] == "d",
        "verdict=rejected": lambda row: row["verdict"] == "rejected",
        "verdict=not+judged": lambda row: row["verdict"] is None,
        "relation=meet": lambda row: row["r"] == "meet",
        "least=0.5&most=0.9": lambda row: 0.5 <= (row["score"] or 0) <= 0.9,
        "known=3": lambda row: least(row) >= 3,
        "unknown=2&q=london": lambda row: least(row) <= 2 and "london" in names(row),
    }.items():
        page = requests.get(f"{address}/?{query}").text
        assert found(page) == matching(condition), query
    assert found(requests.get(f"{address}/").text) == len(rows)


def test_a_search_in_sentences_finds_whatever_a_matching_one_states(
    address: str, finished: Configuration
) -> None:
    import duckdb

    judged, linked, sentences = (
        f"read_parquet('{finished.run}/{table}/*.parquet')"
        for table in ("estimate/judged", "superset/linked", "annotate/sentences")
    )
    texts = duckdb.sql(f"select document, number, text, mentions, relation_words from {sentences}")
    candidates, places = set(), set()
    for document, number, text, mentions, words in texts.fetchall():
        if "radio" in text.lower():
            places.add((document, number))
            entities = {mention["entity"] for mention in mentions}
            candidates |= {(a, r, b) for a in entities for r in words for b in entities}
    columns = "e1, r, e2, negated"
    stated = {
        tuple(fact)
        for document, number, *fact in duckdb.sql(
            f"select document, number, {columns} from {linked} where reason is null"
        ).fetchall()
        if (document, number) in places
    }
    expected = sum(
        fact in stated or fact[:3] in candidates
        for fact in duckdb.sql(f"select {columns} from {judged}").fetchall()
    )
    assert expected > 5
    assert found(requests.get(f"{address}/?text=Radio").text) == expected


def test_pages_follow_each_other_in_the_order_asked_for(address: str, rows: list[dict]) -> None:
    listed: list[float] = []
    page, address_of_page = 1, "/?sort=highest+score"
    while address_of_page:
        text = requests.get(address + address_of_page).text
        listed += map(float, re.findall(r'<span class="score">([\d.e-]+)</span>', text))
        following = re.search(r'rel="next" href="([^"]+)"', text)
        address_of_page = unescape(following[1]) if following else ""
        page += 1
    assert len(listed) == sum(row["score"] is not None for row in rows)
    assert listed == sorted(listed, reverse=True)
    assert page - 1 == -(-len(rows) // 25)
    # Beyond the last page is the last.
    last = requests.get(f"{address}/?page=9999")
    assert last.url == f"{address}/?page={page - 1}"


def test_an_address_says_the_whole_state() -> None:
    state = FactFilter(q="a b&c", system="beta", page="3")
    assert state.address() == "/?q=a+b%26c&system=beta&page=3"
    assert state.address(page="1") == "/?q=a+b%26c&system=beta"
    assert FactFilter().address() == "/"
    assert FactFilter.of({"q": " x ", "sort": " ", "other": "y"}) == FactFilter(q="x")


def test_one_fact_has_all_its_evidence(address: str) -> None:
    asked = {"e1": "/m/s_ada_lovelace", "r": "meet", "e2": "/m/s_charles_babbage"}
    page = requests.get(f"{address}/fact", params=asked).text
    text = text_of(page)
    # As `distval explain` tells it: verdict, sentence, counts, queries, snippet; and the systems.
    assert "accepted" in text
    assert "Ada Lovelace was born in London and met with Charles Babbage." in text.replace(
        " .", "."
    )
    for word in ("proximity", "e1 is in", "near each other"):
        assert word in text
    assert '<mark class="r">met</mark>' in page
    assert "(Ada Lovelace; met with; Charles Babbage)" in text
    assert "<blockquote>" in page
    assert requests.get(f"{address}/fact", params=asked | {"r": "eat"}).status_code == 404


def test_systems_stand_side_by_side_on_one_sentence(address: str) -> None:
    here = {"document": "ada_lovelace", "number": "1"}
    page = requests.get(f"{address}/sentence", params=here | {"system": ["beta", "gamma"]}).text
    text = text_of(page)
    assert "(Ada Lovelace; met with; Charles Babbage)" in text
    assert text.count("(Ada Lovelace; was born in; London)") == 1  # gamma alone wrote it
    assert 'aria-label="alpha"' not in page
    assert requests.get(f"{address}/sentence", params=here | {"number": "x"}).status_code == 400
    assert requests.get(f"{address}/sentence", params=here | {"number": "99"}).status_code == 404
    assert requests.get(f"{address}/sentence", params=here | {"system": "x"}).status_code == 400


def test_a_typed_sentence_is_judged_as_a_run_does(address: str, rows: list[dict]) -> None:
    typed = "Ada Lovelace was born in London and met with Charles Babbage."
    page = requests.get(f"{address}/try", params={"text": typed}).text
    facts = re.findall(
        r'<span class="e1">(.*?)</span> <span class="r">(.*?)</span> '
        r'<span class="e2">(.*?)</span></td>'
        r'\s*<td><span class="verdict [^"]*">(.*?)</span>',
        page,
    )
    # Two pairs of entities beside (Ada, Babbage), with each of two words.
    assert len(facts) == 6
    of_run = {(row["name1"], row["r"], row["name2"]): row["verdict"] for row in rows}
    judged = [(fact[:3], fact[3]) for fact in facts if of_run.get(fact[:3]) is not None]
    assert len(judged) >= 4
    for fact, verdict in judged:
        assert verdict == of_run[fact]
    nothing = requests.get(f"{address}/try", params={"text": "It rains."}).text
    assert "None: a fact needs two entities" in nothing
    assert requests.get(f"{address}/try", params={"text": "word " * 201}).status_code == 400


def test_what_is_no_state_is_told(address: str) -> None:
    for query, told in {
        "least=abc": "score “abc”: expected a number",
        "known=1.5": "triples “1.5”: expected a whole number",
        "system=delta": "expected one of alpha, beta, gamma",
        "region=a": "a region is of a system: choose one",
        "sort=x": "sort “x”: expected one of",
        "page=0": "page 0: expected 1 to 1,000,000",
        f"q={'a+' * 5000}": "a search has at most 200 characters",
        f"text={'a' * 201}": "a search has at most 200 characters",
        "label=x'); DROP TABLE facts; --": "expected one of any",
    }.items():
        answer = requests.get(f"{address}/?{query}")
        assert answer.status_code == 400
        assert told in text_of(answer.text), query
    quoted = requests.get(address, params={"q": "'); DROP TABLE facts; --", "relation": "'"})
    assert found(quoted.text) == 0
    assert requests.get(f"{address}/nothing").status_code == 404


def test_other_hosts_and_other_pages_are_refused(address: str) -> None:
    port = address.rpartition(":")[2]
    for host in (
        "example.com",
        f"example.com:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.2:{port}",
    ):
        assert requests.get(address, headers={"Host": host}).status_code == 403, host
    for host in (f"localhost:{port}", f"[::1]:{port}", f"127.0.0.1:{port}"):
        assert requests.get(address, headers={"Host": host}).status_code == 200, host
    for origin in (
        None,
        "null",
        "http://example.com",
        "http://127.0.0.1:1",
        f"https://127.0.0.1:{port}",
    ):
        headers = {} if origin is None else {"Origin": origin}
        for method in ("POST", "PUT", "DELETE"):
            assert requests.request(method, address, headers=headers).status_code == 403
    own = {"Origin": f"http://127.0.0.1:{port}"}
    assert requests.post(address, headers=own).status_code == 405  # nothing here can be changed


def test_pages_allow_nothing_from_elsewhere(address: str) -> None:
    for path in ("/", "/static/page.css", "/static/page.js", "/nothing", "/?least=x"):
        headers = requests.get(address + path).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"  # a form must send its Origin
    refusal = requests.get(address, headers={"Host": "example.com"})
    assert refusal.headers["X-Frame-Options"] == "DENY"
    for path in ("/", "/try", "/static/../app.py", "/static/%2e%2e/app.py"):
        page = requests.get(address + path).text
        assert "import" not in page
        assert not re.search(r"<script(?! src=\"/static/)|style=|\son\w+=", page)


def test_a_relation_is_found_by_any_form_of_its_word(address: str, rows: list[dict]) -> None:
    settled = sum("settle" in f"{row['name1']} {row['r']} {row['name2']}".lower() for row in rows)
    assert settled > 0
    for word in ("settle", "settled", "Settling"):
        assert found(requests.get(address, params={"q": word}).text) == settled


def test_the_report_is_shown_as_it_stands_and_may_load_nothing(
    address: str, finished: Configuration
) -> None:
    assert 'href="/report"' in requests.get(address).text
    shown = requests.get(f"{address}/report")
    assert shown.content == (finished.run / "report.html").read_bytes()
    policy = shown.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert shown.headers["X-Frame-Options"] == "DENY"


def test_it_listens_on_loopback_only(address: str) -> None:
    port = int(address.rpartition(":")[2])
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for other in others:
        if not other.startswith("127."):
            with socket.socket() as client:
                client.settimeout(2)
                assert client.connect_ex((other, port)) != 0
    with socket.socket() as client:
        client.connect(("127.0.0.1", port))


def test_markup_shows_as_text(evidence: Path, tmp_path: Path) -> None:
    made = run_of_markup(evidence, tmp_path)
    evil = {"e1": "/m/s_ada_lovelace", "r": "meet", "e2": "/m/s_evil"}
    with serving(made) as address:
        pages = [
            requests.get(f"{address}/", params={"q": "evil"}).text,
            requests.get(f"{address}/", params={"q": SCRIPT, "text": IMAGE}).text,
            requests.get(f"{address}/fact", params=evil).text,
            requests.get(
                f"{address}/sentence", params={"document": f"evil {IMAGE}", "number": "0"}
            ).text,
            requests.get(f"{address}/try", params={"text": HOSTILE}).text,
            requests.get(f"{address}/", params={"system": SCRIPT}).text,
        ]
    for page in pages:
        assert "<img" not in page
        assert "<b>" not in page
        assert not re.search(r"<script(?! src=\"/static/)", page)
    for place, shown in ((0, f"Evil {SCRIPT}"), (0, HOSTILE), (2, IMAGE), (3, f"met {SCRIPT}")):
        assert " ".join(shown.split()) in " ".join(
            unescape(re.sub(r"</?mark[^>]*>|</?span[^>]*>", "", pages[place])).split()
        )


@pytest.mark.parametrize("there", ["nothing", "another index"])
def test_a_fact_is_shown_without_its_evidence_where_that_is_gone(
    finished: Configuration, tmp_path: Path, there: str
) -> None:
    other = copied(finished.run, tmp_path / "run")
    settings = other / "configuration.json"
    gone = str(tmp_path / "gone")
    settings.write_text(settings.read_text().replace(str(finished.index.path), gone))
    problem = gone
    if there == "another index":
        document = tmp_path / "one.jsonl"
        document.write_text('{"id": "one", "text": "Ada Lovelace met Charles Babbage."}\n')
        build_collection(document, Path(gone), workers=1)
        problem = f"{gone}: is not what the run judged by"
    fact = {"e1": "/m/s_ada_lovelace", "r": "meet", "e2": "/m/s_charles_babbage"}
    with serving(other) as address:
        answer = requests.get(f"{address}/fact", params=fact)
    assert answer.status_code == 200
    assert f"The evidence cannot be asked: {problem}" in text_of(answer.text)
    assert '<mark class="r">met</mark>' in answer.text


def test_facts_without_sentences_are_shown_too(evidence: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.tsv"
    given.write_text(
        "e1\tr\te2\tname1\tname2\n"
        "/m/s_ada_lovelace\twas born in\t/m/s_london\tAda\tLondon\n"
        "/m/nobody\tmet\t/m/s_london\tA <b>Nobody</b>\tLondon\n"
    )
    c = of_sample(evidence, tmp_path / "run", f'systems=["alpha=facts:{given}"]', "engine=local")
    run(c.model_copy(update={"corpus": None, "truth": None}))
    with serving(tmp_path / "run") as address:
        listed = requests.get(address)
        one = requests.get(
            f"{address}/fact", params={"e1": "/m/nobody", "r": "meet", "e2": "/m/s_london"}
        )
        none = requests.get(f"{address}/sentence", params={"document": "x", "number": "0"})
    assert found(listed.text) == 2
    assert "Sentence holds" not in listed.text
    assert "A &lt;b&gt;Nobody&lt;/b&gt;" in listed.text
    assert "(A <b>Nobody</b>; met; London)" in text_of(one.text)
    assert none.status_code == 404


def test_what_cannot_be_served_is_told_in_one_line(finished: Configuration, tmp_path: Path) -> None:
    assert "no finished run is here" in refused("serve", tmp_path)
    assert "no finished run is here" in refused("serve", tmp_path / "nowhere")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"--port {port}: cannot be listened at" in refused(
            "serve", finished.run, "--port", port
        )


STOPPED = "nothing is served any more; every answer that was given is kept"
LONG_PAGE = """
import sys, threading, time
from jobs.cli import main
from jobs.explore.app import Explorer

def listed(self, request):
    sys.stdout.write("computing\\n")
    sys.stdout.flush()
    time.sleep(60)

Explorer.listed = listed
main()
"""


@pytest.mark.parametrize(
    ("number", "how"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")]
)
def test_it_ends_in_one_line_while_a_page_is_computed(
    finished: Configuration, number: int, how: str
) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", LONG_PAGE, "serve", str(finished.run), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[0]
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(requests.get, address, timeout=60)
        assert server.stdout.readline() == "computing\n"
        server.send_signal(number)
        _, said = server.communicate(timeout=40)
        with suppress(requests.RequestException):
            asked.result()
    assert server.returncode == 128 + number
    assert said == f"distval: {how}; {STOPPED}\n"


def test_ctrl_c_ends_it(finished: Configuration) -> None:
    command = [Path(sys.executable).with_name("distval"), "serve", finished.run, "--port", "0"]
    server = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[0]
    assert requests.get(address).ok
    begun = time.monotonic()
    server.send_signal(signal.SIGINT)
    _, said = server.communicate(timeout=20)
    assert server.returncode == 130
    assert said == f"distval: interrupted; {STOPPED}\n"
    assert time.monotonic() - begun < 10
