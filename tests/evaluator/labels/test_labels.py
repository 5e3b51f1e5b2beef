"""Label sheets, and the public sets of judgements, on a few records made by hand."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.datasets import google_re, reverb_mturk
from evaluator.errors import InputError
from evaluator.labels.label import Label, majority, ratings, read_labels, write_labels
from evaluator.model import Rejects
from evaluator.text import normalise

ADA = ("Ada Lovelace", "died in", "London")


@pytest.fixture
def sheet(tmp_path):
    def write(content):
        path = tmp_path / "sheet.tsv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_a_sheet_with_raters(sheet):
    path = sheet(
        "e1\tr\te2\tlabel\trater\nObama\tvisit\tRome\ttrue\tH0\nRome\tattend\tG8\tNO\tH1\n"
    )
    rejects = Rejects()
    assert read_labels(path, rejects=rejects) == [
        Label("Obama", "visit", "Rome", True, "H0"),
        Label("Rome", "attend", "G8", False, "H1"),
    ]
    assert rejects.total == 0


def test_a_sheet_without_raters_is_one_raters(sheet):
    (label,) = read_labels(sheet("e1\tr\te2\tlabel\nO\tv\tR\t1\n"), rejects=Rejects())
    assert label.rater == "sheet"


@pytest.mark.parametrize(
    ("word", "label"),
    [
        *((word, True) for word in ("true", "True", "1", "YES", "correct")),
        *((word, False) for word in ("false", "FALSE", "0", "no", "Incorrect")),
        # What Excel makes of "true" and "false" in German, French, Finnish, Russian and Turkish.
        *((word, True) for word in ("WAHR", "VRAI", "TOSI", "ИСТИНА", "DOĞRU")),
        *((word, False) for word in ("FALSCH", "FAUX", "EPÄTOSI", "ЛОЖЬ", "YANLIŞ")),
    ],
)
def test_label_words(sheet, word, label):
    (read,) = read_labels(sheet(f"e1\tr\te2\tlabel\nO\tv\tR\t{word}\n"), rejects=Rejects())
    assert read.label is label


@pytest.mark.parametrize("word", ["link wrong", "Link  wrong", "LINK_WRONG", "wrong link"])
def test_a_wrong_link_makes_a_fact_false(sheet, word):
    (read,) = read_labels(sheet(f"e1\tr\te2\tlabel\nO\tv\tR\t{word}\n"), rejects=Rejects())
    assert read == Label("O", "v", "R", False, "sheet", link_wrong=True)


def test_true_and_stated_are_two_questions(sheet):
    rows = ["true\tno", "false\tYes", "true\t", "true\tperhaps"]
    lines = [f"O\tv\tR{number}\t{row}" for number, row in enumerate(rows)]
    rejects = Rejects()
    path = sheet("\n".join(["e1\tr\te2\tlabel\tstated", *lines]))
    read = read_labels(path, rejects=rejects)
    assert [(label.label, label.stated) for label in read] == [
        (True, False),
        (False, True),
        (True, None),
        (True, None),
    ]
    assert rejects.counts == {"unknown word for stated": 1}
    assert rejects.examples == {"unknown word for stated": f"{path}:5: perhaps"}


def test_columns_come_in_any_order_and_others_are_passed_over(sheet):
    path = sheet("\ufefflabel\tsnippet\tE1\tR\tE2\r\nyes\tsee here\tO\tv\tR\r\n\r\n")
    assert read_labels(path, rejects=Rejects()) == [Label("O", "v", "R", True, "sheet")]


def test_rows_without_a_label_are_counted_by_reason(sheet):
    rows = [
        b"e1\tr\te2\tlabel",
        b"O\tv\tR\ttrue",
        b"O\tv\tQ\tskip",
        b"O\tv\tQ\tperhaps",
        b"O\tv\tQ\t",
        b"O\tv\tQ",
        b"\tv\tQ\ttrue",
        b"O\tv\tR\tfalse",
    ]
    rejects = Rejects()
    (label,) = read_labels(sheet(b"\n".join(rows)), rejects=rejects)
    assert label.label is True
    assert rejects.counts == {
        "skip": 1,
        "unknown label": 1,
        "not answered": 2,
        "empty field": 1,
        "labelled twice by one rater": 1,
    }
    # Each with its line: the header is line 1.
    places = [
        example.partition("sheet.tsv:")[2].partition(":")[0]
        for example in rejects.examples.values()
    ]
    assert dict(zip(rejects.examples, places, strict=True)) == {
        "skip": "3",
        "unknown label": "4",
        "not answered": "5",
        "empty field": "7",
        "labelled twice by one rater": "8",
    }


@pytest.mark.parametrize("word", ["NA", "N/A", "nan", "NaN", "None", "null", "<NA>", "-"])
def test_a_missing_label_is_called_missing(sheet, word):
    path = sheet(f"e1\tr\te2\tlabel\tstated\nO\tv\tR\ttrue\t{word}\nO\tv\tQ\t{word}\t\n")
    rejects = Rejects()
    assert read_labels(path, rejects=rejects) == [Label("O", "v", "R", True, "sheet")]
    assert rejects.counts == {"missing": 1}
    assert rejects.examples == {"missing": f"{path}:3: {word}"}


@pytest.mark.parametrize(("word", "label"), [("1.0", True), ("0.0", False), ("1,0", True)])
def test_pandas_writes_whole_numbers_with_a_point_beside_a_missing_value(sheet, word, label):
    rejects = Rejects()
    path = sheet(f"e1\tr\te2\tlabel\tstated\nO\tv\tR\t{word}\t{word}\nO\tv\tQ\t0.5\t\n")
    assert read_labels(path, rejects=rejects) == [
        Label("O", "v", "R", label, "sheet", stated=label)
    ]
    assert rejects.counts == {"unknown label": 1}


def test_a_sheet_with_two_columns_of_one_name_is_refused(sheet):
    with pytest.raises(InputError, match=r'sheet\.tsv:1: two columns are called "label"'):
        read_labels(sheet("e1\tr\te2\tlabel\tLABEL\nO\tv\tR\ttrue\tfalse\n"), rejects=Rejects())


def test_a_row_with_more_cells_than_columns_is_told_and_empty_ones_do_no_harm(sheet):
    rejects = Rejects()
    path = sheet("e1\tr\te2\tlabel\nO\tv\tR\ttrue\t\t\nO\tv\tQ\ttrue\tfalse\n")
    assert len(read_labels(path, rejects=rejects)) == 1
    assert rejects.examples == {"more cells than columns": f"{path}:3: O v Q true false"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "empty file"),
        ("Obama\tvisit\tRome\ttrue\n", "no column e1, r, e2, label"),
        ("e1\tr\te2\nO\tv\tR\n", "no column label"),
        ("e1\tr\te2\tlabel\n", "nothing below the header"),
        ("e1\tr\te2\tlabel\nO\tv\tR\tskip\n", "1 × skip"),
        (b"\x1f\x8b\x08\x00\xff", "tsv:1: not UTF-8"),
        (b"e1\tr\te2\tlabel\nO\tv\tR\ttrue\nO\tv\t\xff\ttrue\n", "tsv:3: not UTF-8"),
    ],
)
def test_a_file_that_is_no_sheet_is_refused_in_one_line(sheet, content, problem):
    with pytest.raises(InputError, match=problem) as error:
        read_labels(sheet(content), rejects=Rejects())
    assert "\n" not in str(error.value)
    assert "sheet.tsv" in str(error.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_labels(tmp_path / "none.tsv", rejects=Rejects())
    with pytest.raises(InputError, match="a folder"):
        read_labels(tmp_path, rejects=Rejects())


letters = st.characters(codec="utf-8", categories=["L", "N", "P"])
words = st.text(letters, min_size=1, max_size=6).map(normalise)

judgements = st.sampled_from([(True, False), (False, False), (False, True)])
labels = st.builds(
    lambda e1, r, e2, rater, stated, said: Label(e1, r, e2, said[0], rater, stated, said[1]),
    words,
    words,
    words,
    words,
    st.sampled_from([None, True, False]),
    judgements,
)


@settings(deadline=None)
@given(st.lists(labels, min_size=1))
def test_what_is_written_is_read(tmp_path_factory, labels):
    path = tmp_path_factory.getbasetemp() / "written.tsv"
    write_labels(path, labels)
    rejects = Rejects()
    read = read_labels(path, rejects=rejects)
    first = {(label.item, label.rater): label for label in reversed(labels)}
    assert sorted(map(repr, read)) == sorted(map(repr, first.values()))
    assert rejects.total == len(labels) - len(first)


def test_a_sheet_is_written_whole_or_not_at_all(tmp_path):
    def broken():
        yield Label("O", "v", "R", True, "H0")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_labels(tmp_path / "sheet.tsv", broken())
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_that_cannot_be_written_is_refused_in_one_line(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "no folder" / "a.tsv", tmp_path / "file" / "a.tsv"):
        with pytest.raises(InputError, match="cannot be written"):
            write_labels(path, [Label("O", "v", "R", True, "H0")])


def test_tabs_and_line_ends_inside_a_field_become_spaces(tmp_path):
    write_labels(tmp_path / "sheet.tsv", [Label("O\tbama", "v\n", "R", False, "H0")])
    assert (tmp_path / "sheet.tsv").read_bytes() == (
        b"e1\tr\te2\tlabel\trater\nO bama\tv\tR\tfalse\tH0\n"
    )


def test_the_majority_decides_and_a_tie_decides_nothing():
    votes = {"p": (True, True, False), "q": (False, False, True), "t": (True, False)}
    labels = [
        Label("O", "v", e2, vote, f"H{rater}")
        for e2, cast in votes.items()
        for rater, vote in enumerate(cast)
    ]
    assert majority(labels) == {
        ("O", "v", "p"): True,
        ("O", "v", "q"): False,
        ("O", "v", "t"): None,
    }


def test_ratings_are_labels_by_rater():
    labels = [Label("O", "v", "R", True, "H0"), Label("O", "v", "R", False, "H1")]
    assert ratings(labels) == {"H0": {("O", "v", "R"): True}, "H1": {("O", "v", "R"): False}}


def google_record(url, obj, *judgements):
    return {
        "pred": "/people/deceased_person/place_of_death",
        "sub": "/m/1",
        "obj": obj,
        "evidences": [{"url": url, "snippet": "…"}],
        "judgments": [
            {"rater": str(rater), "judgment": word} for rater, word in enumerate(judgements)
        ],
    }


ADA_URL = "http://en.wikipedia.org/wiki/Ada_Lovelace"


@pytest.fixture
def google(tmp_path):
    def write(*records, cut=0):
        lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
        packed = gzip.compress("\n".join(lines).encode())
        (tmp_path / google_re.FILE).write_bytes(packed[: len(packed) - cut])
        return tmp_path

    return write


def test_google_judgements_become_labels(google):
    folder = google(google_record(ADA_URL, "/m/london", "yes", "no", "skip"))
    rejects = Rejects()
    labels = google_re.read_labels(folder, {"/m/london": "London"}, rejects=rejects)
    assert labels == [Label(*ADA, True, "0"), Label(*ADA, False, "1")]
    assert rejects.counts == {"skip": 1}


def test_google_records_that_give_no_label_are_counted(google):
    folder = google(
        google_record(ADA_URL, "/m/london", "yes"),
        google_record(ADA_URL, "/m/london", "no"),
        google_record(ADA_URL, "/m/nowhere", "yes"),
        google_record("http://example.org/ada", "/m/london", "yes"),
        google_record(ADA_URL, "/m/london", "dunno"),
        {"pred": "no evidence"},
        "{",
        "[]",
    )
    rejects = Rejects()
    labels = google_re.read_labels(folder, {"/m/london": "London"}, rejects=rejects)
    assert labels == [Label(*ADA, True, "0")]
    assert rejects.counts == {
        "labelled twice by one rater": 1,
        "object without a name": 1,
        "subject without an article": 1,
        "unknown label": 1,
        "broken record": 3,
    }


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("To%C3%B1o_Salazar", "Toño Salazar"),
        ("James_Cannon_(mathematician)", "James Cannon"),
        ("William_Bell_Dinsmoor,_Jr.", "William Bell Dinsmoor, Jr."),
        ("Bob_Carroll_(singer/actor)", "Bob Carroll"),
        ("Ada_Lovelace#Death", "Ada Lovelace"),
        ("(Sandy)_Alex_G", "(Sandy) Alex G"),
    ],
)
def test_the_article_names_the_subject(title, name):
    assert google_re.article_name(f"http://en.wikipedia.org/wiki/{title}") == name


def test_a_cut_google_file_gives_its_whole_records(google):
    records = [google_record(ADA_URL, f"/m/{i * 7919 % 10007}", "yes") for i in range(2000)]
    names = {f"/m/{i}": f"Place {i}" for i in range(10007)}
    rejects = Rejects()
    labels = google_re.read_labels(google(*records, cut=500), names, rejects=rejects)
    assert 0 < len(labels) < 2000
    assert rejects.counts["truncated file"] == 1


def test_a_google_file_that_is_missing_or_of_another_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        google_re.read_labels(tmp_path, {}, rejects=Rejects())
    (tmp_path / google_re.FILE).write_text("plain text")
    with pytest.raises(InputError, match=r"no label to use \(1 × broken record\)"):
        google_re.read_labels(tmp_path, {}, rejects=Rejects())


def test_a_google_file_without_a_name_for_any_object_is_refused(google):
    folder = google(google_record(ADA_URL, "/m/london", "yes"))
    with pytest.raises(InputError, match="1 × object without a name"):
        google_re.read_labels(folder, {}, rejects=Rejects())


MTURK = """fact_id\targ1\trel\targ2\tfrequency_bucket\trater\tjudgment
train-0001\tthe Inn\thas undergone\trestoration\t<1\tr001\tcorrect
train-0001\tthe Inn\thas undergone\trestoration\t<1\tr002\tplausible
train-0001\tthe Inn\thas undergone\trestoration\t<1\tr003\timplausible
train-0001\tthe Inn\thas undergone\trestoration\t<1\tr003\tcorrect
train-0002\tthe Inn\tis\tred\t<1\tr001\t
"""
INN = ("the Inn", "has undergone", "restoration")


@pytest.fixture
def mturk(tmp_path):
    (tmp_path / "reverb_ratings_train.tsv").write_text(MTURK)
    return tmp_path


@pytest.mark.parametrize(
    ("plausible", "second"),
    [
        (False, [Label(*INN, False, "r002")]),
        (True, [Label(*INN, True, "r002")]),
        (None, []),
    ],
)
def test_reverb_judgements_become_labels(mturk, plausible, second):
    rejects = Rejects()
    labels = reverb_mturk.read_labels(mturk, "train", plausible=plausible, rejects=rejects)
    assert labels == [Label(*INN, True, "r001"), *second, Label(*INN, False, "r003")]
    expected = {"labelled twice by one rater": 1, "no judgment": 1}
    assert rejects.counts == expected | ({} if second else {"plausible": 1})


def test_a_reverb_file_that_is_missing_is_refused(mturk):
    with pytest.raises(InputError, match=r"reverb_ratings_test\.tsv: no such file"):
        reverb_mturk.read_labels(mturk, "test", rejects=Rejects())
