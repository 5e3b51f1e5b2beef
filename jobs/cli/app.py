"""All commands of the command line, put together."""

from importlib.metadata import version as installed
from typing import Annotated

import typer

from jobs.cli import (
    agree,
    alignments,
    auditing,
    compare,
    convert,
    data,
    doctor,
    evidence,
    extract,
    facts,
    gate,
    gold,
    index,
    init,
    judging,
    kb,
    labelling,
    qa_srl,
    report,
    run,
    sensitivity,
    serve,
    similarity,
    simulate,
    track,
    tune,
    words,
)
from jobs.cli.commands import Commands

app = Commands(
    name="distval",
    no_args_is_help=True,
    rich_markup_mode=None,  # "[rater]" is no markup
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"distval {installed('distval')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """True precision and recall of open relation extractors, by distant validation."""  # noqa: D401


app.command("init", example="distval init ollie.txt sentences.txt dump.nt.gz --out mine.toml")(
    init.init
)
app.command("run", example="distval run conf/demo.toml --set pmi.threshold=0.2")(run.run)
app.command("submit", example="distval submit conf/demo.toml --master spark://host:7077")(
    run.submit
)
app.command("report", example="distval report runs/demo --figures figures")(report.report)
app.command("sensitivity", example="distval sensitivity conf/demo.toml --t 0.05,0.1,0.2")(
    sensitivity.sensitivity
)
app.command("gold", example="distval gold carb --gold test.tsv --system mine=tabbed:mine.tsv")(
    gold.gold
)
app.command("compare", example="distval compare runs/demo")(compare.compare)
app.command("gate", example="distval gate old.tsv#mine new.tsv#mine --measure precision")(
    gate.decide
)
app.command(
    "convert", example="distval convert minie.txt --sentences sentences.tsv --out minie.jsonl"
)(convert.convert)
app.command("extract", example="distval extract sentences.tsv --baseline naive --out naive.jsonl")(
    extract.extract
)
app.command(
    "explain", example='distval explain "Marie Curie" "was born in" Warsaw --conf conf/demo.toml'
)(evidence.explain)
app.command("facts", example="distval facts runs/demo --system beta --region d --csv missed.csv")(
    facts.facts
)
app.command("track", example="distval track runs/demo --experiment extractors")(track.track)
app.command("serve", example="distval serve runs/demo --open")(serve.serve)
app.command("tune", example="distval tune labels.tsv --conf conf/demo.toml --html curves.html")(
    tune.tune
)
app.command("agree", example="distval agree conf/sample/labels.tsv")(agree.agree)
app.command("words", example="distval words married --conf conf/demo.toml")(words.words)
app.command("doctor", example="distval doctor --json")(doctor.doctor)
app.add_typer(index.index, name="index")
app.add_typer(kb.knowledge_base, name="kb")
app.add_typer(labelling.label, name="label")
labelling.label.command(
    "audit", example="distval label audit runs/demo --model calibrated.model --facts 100"
)(auditing.audit_run)
app.add_typer(judging.judge, name="judge")
app.add_typer(simulate.simulate, name="simulate")
app.add_typer(data.data, name="data")
app.add_typer(data.sample, name="sample")
app.add_typer(data.wordnet, name="wordnet")
app.add_typer(similarity.similarity, name="similarity")
similarity.similarity.command("curve", example="distval similarity curve alignments.tsv")(
    alignments.curve
)
data.data.command(
    "wikidata-properties", example="distval data wikidata-properties --out wikidata.tsv"
)(alignments.wikidata_alignments)
data.data.command("fewrel-relations", example="distval data fewrel-relations --out fewrel.tsv")(
    alignments.fewrel_alignments
)
data.data.command("reverb-freebase", example="distval data reverb-freebase --out reverb.tsv")(
    alignments.reverb_alignments
)
data.data.command("qa-srl", example="distval data qa-srl wiki1.train.qa --out mine.oie")(
    qa_srl.qa_srl
)
