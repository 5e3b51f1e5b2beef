"""Public data: a catalogue that can be trusted, and files that arrive whole or not at all."""

import gzip
import hashlib
import io
import os
import re
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from threading import Thread

import pytest

from evaluator.errors import ConfigurationError, InputError, SetupError
from jobs.data.catalogue import PublicFile, catalogue, chosen, read_catalogue
from jobs.data.checking import check, content_sum, problem
from jobs.data.fetching import WORK, Fetcher, FetchOutcome

TEXT = bytes(range(256)) * 1200  # 307,200 bytes: several reads
CUT = 200_000


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Server(ThreadingHTTPServer):
    """A web server on this machine, that can be told to misbehave.

    `cuts`: how many bytes of the body to send to each of the next requests before hanging up.
    `failures`: what to answer to the next requests, instead of a file.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.ranges = self.tags = True
        self.cuts: list[int] = []
        self.failures: list[int] = []
        self.asked: list[tuple[str, dict[str, str]]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def starts(self) -> list[int]:
        """The byte from which each request asked for the file."""
        spans = (headers.get("Range", "bytes=0-") for _, headers in self.asked)
        return [int(span.removeprefix("bytes=").removesuffix("-")) for span in spans]


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        content = self.server.files.get(self.path.lstrip("/"))
        if self.server.failures or content is None:
            self.send_error(self.server.failures.pop(0) if self.server.failures else 404)
            return
        tag, start = f'"{sha256(content)[:8]}"', 0
        if (span := self.headers.get("Range")) and self.server.ranges:
            start = int(span.removeprefix("bytes=").removesuffix("-"))
        if self.headers.get("If-Range", tag) != tag:
            start = 0
        if start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if self.server.tags:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        cut = self.server.cuts.pop(0) if self.server.cuts else len(content)
        self.wfile.write(content[start : start + cut])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = Server()
    thread = Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def listed(address: str | None, content: bytes = TEXT, path: str = "set/a.txt") -> PublicFile:
    return PublicFile(path=path, size=len(content), sha256=sha256(content), address=address)


def fetcher(target: Path, **options: object) -> Fetcher:
    return Fetcher(target=target, pause=0, **options)  # type: ignore[arg-type]


def part_of(target: Path, path: str = "set/a.txt") -> Path:
    """Where the bytes of an unfinished download are kept."""
    return target / WORK / f"{path}.part"


def given_part(target: Path, content: bytes) -> None:
    part_of(target).parent.mkdir(parents=True)
    part_of(target).write_bytes(content)


def files_under(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


# The catalogue


def test_the_catalogue_has_every_set_that_benchmarks_and_runs_need() -> None:
    needed = (
        "oie2016 carb wire57 benchie ore fb15k237 codex wikipedia2015 cesi_reverb fewrel "
        "wikidata_properties google_re reverb_mturk factbench factbench_web freebase_ntriples "
        "clausie_labelled n3_nif enwiki_dump_sample"
    )
    assert sorted(catalogue()) == sorted(needed.split())


def test_no_two_files_of_the_catalogue_have_one_place() -> None:
    places = [file.path for data_set in catalogue().values() for file in data_set.files]
    assert len(places) == len(set(places))
    assert not any(PurePosixPath(p).is_absolute() or ".." in PurePosixPath(p).parts for p in places)


def test_every_file_of_the_catalogue_is_pinned() -> None:
    for data_set in catalogue().values():
        for file in data_set.files:
            assert re.fullmatch("[0-9a-f]{64}", file.sha256)
            assert file.size > 0
            if file.address is None:
                assert data_set.how, (
                    f"{file.path} is not published, and nothing says how to make it"
                )
                continue
            assert re.match(r"https://(raw\.githubusercontent|api\.github)\.com/", file.address)
            assert re.search("/[0-9a-f]{40}(/|$)", file.address), file.address
            # What is packed here has to be recognised by its content.
            assert bool(file.members) <= (file.packing == "tar")


def test_every_set_has_a_licence_and_says_what_it_is_for() -> None:
    for data_set in catalogue().values():
        assert data_set.licence.strip()
        assert data_set.holds.strip()
        assert data_set.used_for.strip()
        assert data_set.sources


def test_sets_are_chosen_by_name() -> None:
    assert [s.name for s in chosen(["wire57", "google-re", "wire57"])] == ["wire57", "google_re"]
    assert len(chosen([])) == len(catalogue())
    with pytest.raises(
        ConfigurationError, match=r"no data set wire58; did you mean wire57.* known: benchie, "
    ):
        chosen(["wire57", "wire58"])


def test_an_address_is_made_of_repository_commit_and_path() -> None:
    sets = read_catalogue(
        f"""
        [notes]
        folder = "gold/notes"
        holds = "notes"
        used_for = "a test"
        licence = "MIT"
        sources.one = {{ repository = "owner/notes", commit = "{"0a" * 20}" }}
        files = [
          {{ path = "a.txt", size = 1, sha256 = "{"0" * 64}", source = "one", at = "in it/a.txt" }},
        ]
        """
    )
    assert sets["notes"].version == "owner/notes@0a0a0a0"
    (file,) = sets["notes"].files
    assert file.path == "gold/notes/a.txt"
    assert file.address == (
        f"https://raw.githubusercontent.com/owner/notes/{'0a' * 20}/in%20it/a.txt"
    )


# Checking


def test_a_check_tells_missing_wrong_and_unknown_files(tmp_path: Path) -> None:
    one, two = sha256(b"one"), sha256(b"two")
    rest = 'folder = "s"\nholds = "h"\nused_for = "u"\nlicence = "MIT"\nsources = {}\n'
    names = [("a.txt", one), ("b.txt", two), ("c/c.txt", one)]
    files = ",".join(f'{{ path = "{n}", size = 3, sha256 = "{s}" }}' for n, s in names)
    data_set = read_catalogue(f"[s]\n{rest}files = [{files}]")["s"]
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.txt").write_text("one")
    (tmp_path / "s" / "b.txt").write_text("tw")
    for beside in ("more.txt", "SOURCE.md", ".hidden"):
        (tmp_path / "s" / beside).write_text("one")
    found = check(data_set, tmp_path)
    assert found.good == 1
    assert found.missing == ["s/c/c.txt"]
    assert found.extra == ["s/more.txt"]
    assert found.wrong == {
        "s/b.txt": f"expected SHA-256 {two} (3 bytes), found {sha256(b'tw')} (2 bytes)"
    }


def test_the_content_of_gzip_counts_and_not_how_it_was_packed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    listed_as = PublicFile(
        path="a.txt.gz", size=1, sha256=sha256(gzip.compress(TEXT, 9)), content=sha256(TEXT)
    )
    for level in (1, 9):
        path.write_bytes(gzip.compress(TEXT, level, mtime=level))
        assert content_sum(path, "gzip") == sha256(TEXT)
        assert problem(listed_as, path) is None
    path.write_bytes(gzip.compress(TEXT[1:]))
    assert f"of its content, expected {sha256(TEXT)}, found" in str(problem(listed_as, path))
    path.write_bytes(gzip.compress(TEXT)[:-9])
    assert "cannot be unpacked" in str(problem(listed_as, path))


def tar(path: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def test_the_content_of_an_archive_is_the_sum_of_what_sha256sum_prints(tmp_path: Path) -> None:
    printed = f"{sha256(b'one')}  t/a\n{sha256(b'two')}  t/b\n"
    tar(tmp_path / "1.tar.gz", {"t/a": b"one", "t/b": b"two"})
    tar(tmp_path / "2.tar.gz", {"./t/b": b"two", "./t/a": b"one"})
    for name in ("1.tar.gz", "2.tar.gz"):
        assert content_sum(tmp_path / name, "tar") == sha256(printed.encode())


# Downloads


def test_a_file_is_downloaded_to_its_place_and_nothing_else_is_left(
    server: Server, tmp_path: Path
) -> None:
    server.files["x/a.txt"] = TEXT
    file = listed(f"{server.address}/x/a.txt")
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert (tmp_path / "set" / "a.txt").read_bytes() == TEXT
    assert files_under(tmp_path) == ["set/a.txt"]
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.THERE
    assert len(server.asked) == 1


def test_a_cut_download_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"], server.cuts = TEXT, [CUT]
    assert fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt")) == FetchOutcome.DOWNLOADED
    assert (tmp_path / "set" / "a.txt").read_bytes() == TEXT
    assert len(server.asked) == 2
    assert 0 < server.starts[1] <= CUT


def test_a_download_that_is_cut_again_and_again_is_given_up_and_kept(
    server: Server, tmp_path: Path
) -> None:
    server.files["a.txt"], server.cuts = TEXT, [CUT, 0]
    file = listed(f"{server.address}/a.txt")
    with pytest.raises(SetupError, match="connection was cut; tried 2 times"):
        fetcher(tmp_path, attempts=2).fetch(file)
    kept = part_of(tmp_path).stat().st_size
    assert not (tmp_path / "set").exists()
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert server.starts == [0, kept, kept]
    assert files_under(tmp_path) == ["set/a.txt"]


def test_an_interrupted_download_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"] = TEXT

    def interrupt(name: str, done: int) -> None:
        raise KeyboardInterrupt

    file = listed(f"{server.address}/a.txt")
    with pytest.raises(KeyboardInterrupt):
        fetcher(tmp_path, on_bytes=interrupt).fetch(file)
    kept = part_of(tmp_path).stat().st_size
    assert 0 < kept < len(TEXT)
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert server.starts == [0, kept]
    assert files_under(tmp_path) == ["set/a.txt"]


def test_a_server_without_ranges_sends_the_whole_file(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"], server.cuts, server.ranges = TEXT, [CUT], False
    assert fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt")) == FetchOutcome.DOWNLOADED
    assert (tmp_path / "set" / "a.txt").read_bytes() == TEXT


def test_bytes_of_another_version_are_not_gone_on_from(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"], server.cuts = TEXT[::-1], [CUT]
    file = listed(f"{server.address}/a.txt")
    with pytest.raises(SetupError):
        fetcher(tmp_path, attempts=1).fetch(file)
    server.files["a.txt"] = TEXT
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert server.starts[1] > 0  # asked for the rest, if it was still the same file
    assert len(server.asked) == 2


def test_a_part_of_unknown_version_is_given_up_when_the_sum_is_wrong(
    server: Server, tmp_path: Path
) -> None:
    given_part(tmp_path, TEXT[::-1][:CUT])
    server.files["a.txt"], server.tags = TEXT, False
    assert fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt")) == FetchOutcome.DOWNLOADED
    assert server.starts == [CUT, 0]


@pytest.mark.parametrize("part", [TEXT, TEXT + b"more"])
def test_a_part_as_long_as_the_file_or_longer(server: Server, tmp_path: Path, part: bytes) -> None:
    given_part(tmp_path, part)
    server.files["a.txt"] = TEXT
    assert fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt")) == FetchOutcome.DOWNLOADED
    assert server.starts == ([len(TEXT)] if part == TEXT else [len(TEXT) + 4, 0])


def test_a_busy_server_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"], server.failures = TEXT, [503, 429]
    assert fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt")) == FetchOutcome.DOWNLOADED
    assert len(server.asked) == 3


def test_a_file_that_the_server_lacks_is_told_at_once(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"{server.address}/a.txt: the server answers 404"):
        fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt"))
    assert len(server.asked) == 1
    assert files_under(tmp_path) == []


def test_no_server_is_told_in_one_line(server: Server, tmp_path: Path) -> None:
    address = server.address
    server.server_close()
    with pytest.raises(SetupError, match="the connection failed") as told:
        fetcher(tmp_path, attempts=1).fetch(listed(f"{address}/a.txt"))
    assert "\n" not in str(told.value)


def test_a_wrong_sum_removes_nothing_and_tells_both(server: Server, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.txt").write_text("what was there")
    server.files["a.txt"] = b"not it"
    with pytest.raises(InputError) as told:
        fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt"))
    assert f"expected sha256:{sha256(TEXT)} but got {sha256(b'not it')}" in str(told.value)
    assert "\n" not in str(told.value)
    assert (tmp_path / "set" / "a.txt").read_text() == "what was there"
    assert files_under(tmp_path) == ["set/a.txt"]


def test_a_blob_is_asked_for_as_bytes_and_unpacked(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"] = TEXT
    fetcher(tmp_path).fetch(listed(f"{server.address}/a.txt"))
    ((_, headers),) = server.asked
    assert headers["Accept"].startswith("application/vnd.github.raw")
    assert headers["Accept-Encoding"] == "identity"


def test_what_is_published_unpacked_is_packed(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"] = TEXT
    file = PublicFile(
        path="set/a.txt.gz",
        size=1,
        sha256=sha256(b"packed by somebody else"),
        content=sha256(TEXT),
        address=f"{server.address}/a.txt",
    )
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert gzip.decompress((tmp_path / "set" / "a.txt.gz").read_bytes()) == TEXT
    assert files_under(tmp_path) == ["set/a.txt.gz"]
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.THERE


def test_an_archive_is_packed_from_files_and_finished_ones_are_kept(
    server: Server, tmp_path: Path
) -> None:
    server.files |= {"text/AA/1": b"one", "text/AA/2": TEXT}
    printed = f"{sha256(b'one')}  AA/1\n{sha256(TEXT)}  AA/2\n"
    file = PublicFile(
        path="set/all.tar.xz",
        size=1,
        sha256=sha256(b"packed by somebody else"),
        content=sha256(printed.encode()),
        address=f"{server.address}/text",
        members=("AA/1", "AA/2"),
    )
    server.cuts = [3, CUT]
    with pytest.raises(SetupError):
        fetcher(tmp_path, attempts=1).fetch(file)
    assert fetcher(tmp_path).fetch(file) == FetchOutcome.DOWNLOADED
    assert [path for path, _ in server.asked] == ["/text/AA/1", "/text/AA/2", "/text/AA/2"]
    with tarfile.open(tmp_path / "set" / "all.tar.xz") as archive:
        assert archive.getnames() == ["AA/1", "AA/2"]
    assert files_under(tmp_path) == ["set/all.tar.xz"]
    server.files["text/AA/1"] = b"another"
    (tmp_path / "set" / "all.tar.xz").unlink()
    with pytest.raises(InputError, match="of its content, expected"):
        fetcher(tmp_path).fetch(file)
    assert files_under(tmp_path) == []


def test_what_is_published_nowhere_is_not_fetched(tmp_path: Path) -> None:
    assert fetcher(tmp_path).fetch(listed(None)) == FetchOutcome.UNPUBLISHED
    assert files_under(tmp_path) == []


# Mirrors and copies


def mirror_with(folder: Path, content: bytes) -> Path:
    (folder / "set").mkdir(parents=True)
    (folder / "set" / "a.txt").write_bytes(content)
    return folder


def test_a_mirror_stands_for_the_network(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"] = TEXT
    file = listed(f"{server.address}/a.txt")
    mirror = mirror_with(tmp_path / "mirror", TEXT)
    (mirror / "set" / "a.txt").chmod(0o444)
    assert fetcher(tmp_path / "to", mirror=str(mirror)).fetch(file) == FetchOutcome.COPIED
    assert (tmp_path / "to" / "set" / "a.txt").read_bytes() == TEXT
    (mirror / "set" / "a.txt").unlink()
    with pytest.raises(InputError, match="not in the mirror"):
        fetcher(tmp_path / "other", mirror=str(mirror)).fetch(file)
    assert server.asked == []


def test_a_damaged_mirror_is_told(tmp_path: Path) -> None:
    mirror = mirror_with(tmp_path / "mirror", b"not it")
    with pytest.raises(InputError, match=f"{mirror}.*expected SHA-256 {sha256(TEXT)}"):
        fetcher(tmp_path / "to", mirror=str(mirror)).fetch(listed(None))
    assert files_under(tmp_path / "to") == []


def test_a_damaged_archive_is_told_in_one_line_and_leaves_no_folder(tmp_path: Path) -> None:
    mirror = mirror_with(tmp_path / "mirror", b"not it")
    file = listed(None).model_copy(update={"path": "set/a.tar.xz", "content": sha256(TEXT)})
    (mirror / "set" / "a.txt").rename(mirror / "set" / "a.tar.xz")
    with pytest.raises(InputError, match="cannot be unpacked") as told:
        fetcher(tmp_path / "new" / "to", mirror=str(mirror)).fetch(file)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "new").exists()


def test_a_mirror_may_be_an_address(server: Server, tmp_path: Path) -> None:
    packed = gzip.compress(TEXT)
    server.files |= {"mirror/set/a.txt": TEXT, "mirror/set/b.gz": packed}
    taken = fetcher(tmp_path, mirror=f"{server.address}/mirror/")
    assert taken.fetch(listed(None)) == FetchOutcome.DOWNLOADED
    file = PublicFile(path="set/b.gz", size=1, sha256="0" * 64, content=sha256(TEXT))
    assert taken.fetch(file) == FetchOutcome.DOWNLOADED
    assert (tmp_path / "set" / "b.gz").read_bytes() == packed


def test_copies_that_are_right_are_taken_before_the_network(server: Server, tmp_path: Path) -> None:
    server.files["a.txt"] = TEXT
    file = listed(f"{server.address}/a.txt")
    copies = mirror_with(tmp_path / "copies", TEXT)
    assert fetcher(tmp_path / "1", copies=copies).fetch(file) == FetchOutcome.COPIED
    assert server.asked == []
    (copies / "set" / "a.txt").write_bytes(b"damaged")
    assert fetcher(tmp_path / "2", copies=copies).fetch(file) == FetchOutcome.DOWNLOADED
    assert (copies / "set" / "a.txt").read_bytes() == b"damaged"


def test_a_target_that_is_no_folder_is_told(tmp_path: Path) -> None:
    mirror = mirror_with(tmp_path / "mirror", TEXT)
    (tmp_path / "to").write_text("a file")
    with pytest.raises(InputError, match=r"/to: a file is where a folder has to be"):
        fetcher(tmp_path / "to", mirror=str(mirror)).fetch(listed(None))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any folder")
def test_a_target_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    mirror = mirror_with(tmp_path / "mirror", TEXT)
    target = tmp_path / "to"
    target.mkdir(mode=0o555)
    with pytest.raises(InputError, match=r"/to: cannot be written \(Permission denied\)"):
        fetcher(target, mirror=str(mirror)).fetch(listed(None))


def test_a_folder_that_may_not_be_written_is_no_matter_where_nothing_is_missing(
    tmp_path: Path,
) -> None:
    target = mirror_with(tmp_path / "to", TEXT)
    target.chmod(0o555)
    assert fetcher(target).fetch(listed(None)) == FetchOutcome.THERE
    assert files_under(target) == ["set/a.txt"]
