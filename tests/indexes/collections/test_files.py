"""The files of a collection: folders, archives, what is selected, what damage leaves."""

import gzip
import os
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import Rejects
from indexes.collections import collection_files, read_records
from tests.indexes.collections.reading import COMPRESS, ids, read, tar, wiki, write

FILES = {"AA/wiki_00": wiki("1", "2"), "AA/wiki_01": wiki("3"), "AC/wiki_00": wiki("4", "5")}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_the_documents_are_the_same_however_the_files_are_packed(tmp_path, suffix):
    pack = COMPRESS[suffix]
    packed = {name + suffix: pack(content) for name, content in FILES.items()}
    plain = read(write(tmp_path / "plain", FILES))
    assert [document.id for document in plain[0]] == ["1", "2", "3", "4", "5"]
    assert plain[1] == {}
    assert read(write(tmp_path / "folder", packed)) == plain
    for name, content in {
        "one": pack(b"".join(FILES.values())),
        f"files.tar{suffix}": pack(tar(FILES)),
        "archive by its content": pack(tar(packed)),
        "v7.tar": pack(tar(FILES, format=tarfile.USTAR_FORMAT)),
    }.items():
        (tmp_path / name).write_bytes(content)
        assert read(tmp_path / name) == plain
    archives = {"1.tgz": gzip.compress(tar(packed)), "2": pack(wiki("6"))}
    assert ids(write(tmp_path / "archives", archives)) == ["1", "2", "3", "4", "5", "6"]


@given(st.lists(st.lists(st.integers(0, 20), max_size=4), min_size=1, max_size=5))
def test_a_folder_and_an_archive_of_its_files_are_the_same(tmp_path_factory, numbers):
    files = {
        f"{rank}/wiki": wiki(*(f"{rank}-{number}" for number in documents))
        for rank, documents in enumerate(numbers)
    } | {"last": wiki("last")}
    folder = write(tmp_path_factory.mktemp("folder"), files)
    archive = tmp_path_factory.mktemp("archive") / "files.tar"
    archive.write_bytes(tar(files))
    options = {"format": "wikiextractor"}
    assert read(folder, **options) == read(archive, **options)


def test_hidden_files_are_left_out(tmp_path):
    files = {"a": wiki("1"), ".b": wiki("2"), ".c/d": wiki("3"), "._a": b"\0\5\26\7"}
    (tmp_path / "files.tar").write_bytes(tar(files))
    assert read(tmp_path / "files.tar")[1] == {}
    assert ids(tmp_path / "files.tar") == ids(write(tmp_path / "folder", files)) == ["1"]
    assert ids(write(tmp_path / ".home" / "collection", files)) == ["1"]


def test_links_are_followed_once(tmp_path):
    write(tmp_path, {"elsewhere/a": wiki("1"), "collection/b": wiki("2")})
    (tmp_path / "collection" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "around").symlink_to(tmp_path / "collection")
    assert ids(tmp_path / "collection") == ["2", "1"]
    (tmp_path / "collection" / "broken").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match="broken: no such file"):
        read(tmp_path / "collection", format="wikiextractor")


def test_special_files_and_special_members_are_passed_over(tmp_path):
    write(tmp_path / "folder", {"a": wiki("1")})
    os.mkfifo(tmp_path / "folder" / "fifo")
    assert ids(tmp_path / "folder") == ["1"]
    with tarfile.open(tmp_path / "files.tar", "w") as archive:
        archive.add(tmp_path / "folder", "./folder")
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "folder/a"
        archive.addfile(link)
    assert read(tmp_path / "files.tar", format="text")[0][0].id == "folder/a"
    assert ids(tmp_path / "files.tar") == ["1"]


def test_files_are_selected_by_their_paths_inside_the_collection(tmp_path):
    folder = write(tmp_path / "folder", FILES)
    (tmp_path / "files.tar").write_bytes(tar(FILES))
    for path in (folder, tmp_path / "files.tar"):
        assert ids(path, select=["AC/*"]) == ["4", "5"]
        assert ids(path, select=["*_01", "AC/wiki_00"]) == ["3", "4", "5"]
        assert ids(path, select=["*"]) == ["1", "2", "3", "4", "5"]
        for pattern in ("ac/*", "wiki_00", "AC"):
            with pytest.raises(InputError, match=rf"no file matches '{pattern[:2]}.*'AA/wiki_00'"):
                read(path, format="wikiextractor", select=[pattern])


def test_an_archive_in_a_folder_is_selected_by_itself_or_its_members(tmp_path):
    write(tmp_path, {"1.tar": tar(FILES), "2.tar": tar({"AA/wiki_00": wiki("6")})})
    assert ids(tmp_path, select=["2.tar"]) == ["6"]
    assert ids(tmp_path, select=["1.tar/AC/*"]) == ["4", "5"]
    assert ids(tmp_path, select=["AA/wiki_00"]) == ["1", "2", "6"]


def test_places_run_on_over_the_members_of_an_archive(tmp_path):
    folder = write(tmp_path / "folder", {"1.tar": tar(FILES), "2": wiki("6", "7")})
    first, second = collection_files(folder)
    rejects = Rejects()
    options = {"format": "wikiextractor", "root": folder, "rejects": rejects}
    records = list(read_records(first, **options))
    assert [record.place for record in records] == [0, 1, 2, 3, 4]
    assert records[4].where == "1.tar/AC/wiki_00:6"
    assert [record[:2] for record in read_records(second, **options)] == [(0, "2:1"), (1, "2:6")]
    alone = read_records(first, format="wikiextractor", rejects=rejects)
    assert next(alone).where == "AA/wiki_00:1"


def test_whole_records_before_the_damage_are_kept_and_the_damage_is_counted(tmp_path):
    write(tmp_path, {"1": wiki("1"), "2.gz": gzip.compress(wiki(*map(str, range(2, 2000))))[:-30]})
    documents, rejects = read(tmp_path)
    assert [document.id for document in documents] == [str(i + 1) for i in range(len(documents))]
    assert len(documents) > 1000
    assert rejects == {"truncated file": 1, "document without end": 1}


def test_an_empty_file_is_counted(tmp_path):
    files = {"0": b"", "1": wiki("1"), "2.gz": gzip.compress(b""), "3": b"no record\n"}
    expected = {"empty file": 2, "file without a record": 1}
    assert read(write(tmp_path / "folder", files))[1] == expected
    (tmp_path / "files.tar").write_bytes(tar(files))
    assert read(tmp_path / "files.tar")[1] == expected


def test_a_member_that_cannot_be_read_is_counted_and_a_file_is_an_error(tmp_path):
    files = {"1.gz": b"<html>moved</html>", "2": wiki("2"), "3": b"PK\3\4", "4": b"BZh9 no"}
    (tmp_path / "files.tar").write_bytes(tar(files))
    documents, rejects = read(tmp_path / "files.tar")
    assert [document.id for document in documents] == ["2"]
    assert rejects == {"unreadable file": 3}
    with pytest.raises(InputError, match=r"1\.gz: is named \.gz but is not compressed"):
        read(write(tmp_path / "folder", files), format="wikiextractor")


FEW = {"a": wiki("1"), "b.gz": gzip.compress(wiki("2")), "c": wiki("3")}


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("format", ["wikiextractor", "text"])
def test_cut_anywhere_an_archive_gives_no_wrong_document(tmp_path, suffix, format):  # noqa: A002
    path = tmp_path / "files.tar"
    archive = tar(FEW)
    path.write_bytes(archive)
    whole = read(path, format=format)[0]
    packed = COMPRESS[suffix](archive)
    found = set()
    for length in range(1, len(packed), 1 if suffix else 101):
        path.write_bytes(packed[:length])
        try:
            documents, rejects = read(path, format=format)
        except InputError:
            continue
        assert documents == whole[: len(documents)]
        assert "damaged file" not in rejects
        # Of an archive that is not compressed, the padding at the end may be missing.
        assert rejects.get("truncated file") == 1 or (suffix == "" and documents == whole)
        found.add(len(documents))
    if not suffix:
        assert found == {1, 2, 3}


def test_a_damaged_header_ends_an_archive_and_is_counted(tmp_path):
    archive = bytearray(tar(FEW))
    second = archive.index(b"b.gz\0")
    archive[second + 1] ^= 1
    (tmp_path / "files.tar").write_bytes(archive)
    documents, rejects = read(tmp_path / "files.tar")
    assert [document.id for document in documents] == ["1"]
    assert rejects == {"damaged file": 1}


def test_a_path_that_is_no_utf8_still_names_a_document(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9")).write_bytes(b"text")
    assert ids(tmp_path, format="text") == ["caf\ufffd"]


def test_nothing_to_read_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        read(tmp_path / "absent")
    with pytest.raises(InputError, match="the folder holds no file"):
        read(tmp_path)
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match=r"no wikiextractor document found \(empty file: 1\)"):
        read(tmp_path / "empty", format="wikiextractor")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(wiki("1"))[:10])
    with pytest.raises(InputError, match=r"cut\.gz: truncated file: nothing can be read"):
        read(tmp_path / "cut.gz", format="wikiextractor")
    (tmp_path / "not.tar.gz").write_bytes(gzip.compress(b"no archive" * 100))
    with pytest.raises(InputError, match=r"not\.tar\.gz: is named like a tar archive but is none"):
        read(tmp_path / "not.tar.gz", format="text")


def test_what_follows_the_end_of_an_archive_is_counted(tmp_path):
    (tmp_path / "two.tar").write_bytes(tar({"a": wiki("1")}) + tar({"b": wiki("2")}))
    documents, rejects = read(tmp_path / "two.tar")
    assert [document.id for document in documents] == ["1"]
    assert rejects == {"data after the end of an archive": 1}


def test_an_archive_of_no_file_is_an_empty_file(tmp_path):
    (tmp_path / "a").write_bytes(wiki("1"))
    (tmp_path / "none.tar").write_bytes(bytes(10_240))
    documents, rejects = read(tmp_path)
    assert [document.id for document in documents] == ["1"]
    assert rejects == {"empty file": 1}
