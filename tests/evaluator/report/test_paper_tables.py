"""The tables of a result as papers print them; the paper's figures by hand."""

from evaluator.report.paper_tables import PaperTable, latex, markdown, paper_tables
from evaluator.results.result import Result
from tests.evaluator.report.test_labels import labelled
from tests.evaluator.report.test_page import result, without_corpus

HOSTILE = r"a_b & 50% {x} \end [1] ~ ^ <b> | $y$ #"


def test_latex_has_booktabs_rules_and_the_figures_with_intervals():
    text = latex(paper_tables(Result.of(result())), signature="sig|na_ture")
    assert text.startswith("% sig|na_ture\n")
    assert text.count(r"\toprule") == text.count(r"\midrule") == text.count(r"\bottomrule") == 2
    # 80 / 2,643; 80 / 2,065; the harmonic mean; margins of 0.2 points.
    assert r"ReVerb & 2,643,000 & 3.0 {[}2.8, 3.2] & 3.9 {[}3.7, 4.1] & 3.4 {[}3.2, 3.6] \\" in text
    assert r"R within G$'$ (\%)" in text
    assert "Figures on New York Times, annotator-relative: no labels of people were used" in text


def test_markdown_has_the_same():
    text = markdown(paper_tables(Result.of(result())), signature="sig")
    assert (
        r"| ReVerb | 2,643,000 | 3.0 \[2.8, 3.2\] | 3.9 \[3.7, 4.1\] | 3.4 \[3.2, 3.6\] |" in text
    )
    assert text.endswith("`sig`\n")


def test_where_all_was_judged_there_is_no_interval_and_what_is_not_estimable_is_a_dash():
    changed = result()
    of = changed["systems"]["ReVerb"]
    of["precision"] |= {"low": of["precision"]["value"], "high": of["precision"]["value"]}
    of["recall"] |= dict.fromkeys(("value", "low", "high"))
    text = markdown(paper_tables(Result.of(changed)), signature="sig")
    assert "| ReVerb | 2,643,000 | 3.0 | – |" in text


def test_labels_come_first_and_the_annotators_figures_below_them():
    text = markdown(paper_tables(Result.of(labelled())), signature="sig")
    assert "labels of people by chain-rule" in text
    assert r"42.0 \[37.0, 47.0\]" in text
    assert "| annotator-relative |  | 50.0" in text


def test_a_figure_that_leads_no_page_is_marked_and_the_caption_says_why():
    changed = result()
    why = "Only 3 of its 9 facts are judged."
    changed["systems"]["ReVerb"]["withheld"] = {"precision": why, "recall": None, "f1": why}
    tables = paper_tables(Result.of(changed))
    text = latex(tables, signature="sig")
    assert r"3.0 {[}2.8, 3.2]\dag{} & 3.9 {[}3.7, 4.1] & 3.4 {[}3.2, 3.6]\dag{} \\" in text
    assert rf"intervals. \dag{{}} Too little stands behind it: {why}}}" in text
    assert "3.2\\]† |" in markdown(tables, signature="sig")


def test_without_a_corpus_there_is_no_recall():
    [measures, regions] = paper_tables(Result.of(without_corpus()))
    assert measures.columns == ["System", "|S|", "P (%)"]
    assert regions.columns == ["System", "a", "b", "not correct", "undefined"]


def test_names_are_text_in_latex_and_markdown():
    table = PaperTable("t", "Caption", ["System"], [[HOSTILE]])
    told = latex([table], signature="two\nlines")
    assert "% two lines\n" in told
    assert (
        r"a\_b \& 50\% \{x\} \textbackslash{}end {[}1] \textasciitilde{} \textasciicircum{} "
        r"\textless{}b\textgreater{} \textbar{} \$y\$ \#"
    ) in told
    assert r"a\_b &amp; 50% \{x\} \\end \[1\] ~ ^ &lt;b> \| $y$ \#" in markdown(
        [table], signature=""
    )
