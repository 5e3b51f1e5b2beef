"""``distval data``, ``distval sample`` and ``distval wordnet``: what the project is fed with."""

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from evaluator.datasets import (
    cesi_reverb,
    factbench,
    fewrel,
    google_re,
    reverb_mturk,
    wikidata_properties,
)
from evaluator.labels import COLUMNS, word_of, write_labels, write_table
from evaluator.model import Rejects
from jobs.cli.output import Json, console, errors, print_json, skipped, table
from jobs.config import data_folder

data = typer.Typer(help="Public data sets, found under DISTVAL_DATA.", no_args_is_help=True)
sample = typer.Typer(help="The embedded sample.", no_args_is_help=True)
wordnet = typer.Typer(help="The shipped WordNet.", no_args_is_help=True)

Out = Annotated[Path, typer.Option(help="File to write.")]

# Folder under DISTVAL_DATA, what it holds, and the repository that publishes it.
_SETS = {
    "oie2016": (
        "gold/oie2016",
        "raw_sentences_all.txt and *_tabbed.txt: 3,200 sentences, six systems",
        "gabrielStanovsky/supervised-oie, gabrielStanovsky/oie-benchmark",
    ),
    "carb": ("gold/carb", "reverb_output.txt: ReVerb's own output on OIE2016", "dair-iitd/CaRB"),
    "fb15k237": (
        "fb15k237",
        "entity2wikidata.json and openke/: a complete slice of Freebase",
        "villmow/datasets_knowledge_embedding, thunlp/OpenKE",
    ),
    "codex": (
        "codex",
        "codex-m-*.txt.gz and relations.en.json: a slice of Wikidata (names: fb15k237)",
        "tsafavi/codex",
    ),
    "wikipedia2015": (
        "wikipedia2015",
        "enwiki2015_AA_AC.tar.xz: 308 MB of English Wikipedia",
        "jason-feng/wikiVisual (text/AA, AB, AC)",
    ),
    cesi_reverb.NAME: ("cesi_reverb_linked", cesi_reverb.DESCRIPTION, cesi_reverb.SOURCE),
    fewrel.NAME: ("fewrel", fewrel.DESCRIPTION, fewrel.SOURCE),
    wikidata_properties.NAME: (
        "wikidata_properties",
        wikidata_properties.DESCRIPTION,
        wikidata_properties.SOURCE,
    ),
    google_re.NAME: ("google_re", google_re.DESCRIPTION, google_re.SOURCE),
    reverb_mturk.NAME: ("reverb_mturk", reverb_mturk.DESCRIPTION, reverb_mturk.SOURCE),
    factbench.NAME: ("factbench", factbench.DESCRIPTION, factbench.SOURCE),
}


@data.command("list")
def list_sets(as_json: Json = False) -> None:
    """Show the data sets that are used, and whether they are there. Exit code 1: not all are."""
    folder = data_folder()
    rows = [
        {
            "name": name,
            "folder": str(folder / place),
            "holds": holds,
            "published by": source,
            "present": (folder / place).is_dir(),
        }
        for name, (place, holds, source) in _SETS.items()
    ]
    if as_json:
        print_json(rows)
    else:
        made = table(
            f"Data under {folder} (set DISTVAL_DATA for another folder)",
            ["set", "folder", "present", "holds", "published by"],
            [
                [name, place, "yes" if (folder / place).is_dir() else "no", holds, source]
                for name, (place, holds, source) in _SETS.items()
            ],
        )
        for column in made.columns:
            column.justify = "left"
        console.print(made)
    if not all(row["present"] for row in rows):
        raise typer.Exit(1)


@data.command("fb15k237")
def fb15k237(out: Out) -> None:
    """Write FB15k-237 as N-Triples in the form of Freebase's dump."""
    from indexes.fb15k237 import write_freebase_ntriples

    with errors.status("writing triples …"):
        counts = write_freebase_ntriples(data_folder() / "fb15k237", out)
    console.print(f"{out}: {counts}", markup=False, soft_wrap=True)


@data.command("codex")
def codex(
    out: Out,
    form: Annotated[str, typer.Option(help="truthy (N-Triples) or json.")] = "truthy",
    size: Annotated[str, typer.Option(help="m or s.")] = "m",
) -> None:
    """Write CoDEx in the form of Wikidata's direct N-Triples, or of its JSON dump."""
    from indexes.codex import write_json, write_truthy

    writers = {"truthy": write_truthy, "json": write_json}
    if form not in writers:
        raise typer.BadParameter("expected truthy or json", param_hint="--form")
    if size not in ("m", "s"):
        raise typer.BadParameter("expected m or s", param_hint="--size")
    names = data_folder() / "fb15k237" / "entity2wikidata.json"
    with errors.status("writing triples …"):
        counts = writers[form](data_folder() / "codex", names, out, size=size)
    console.print(f"{out}: {counts}", markup=False, soft_wrap=True)


@data.command("google-re")
def google_re_labels(out: Out) -> None:
    """Write the place-of-death judgements of Google's corpus as labels (e1 r e2 label rater)."""
    from indexes.fb15k237 import read_labels

    rejects, names = Rejects(), read_labels(data_folder() / "fb15k237")
    labels = google_re.read_labels(data_folder() / "google_re", names, rejects=rejects)
    write_labels(out, labels)
    skipped(rejects.counts, "judgements")
    console.print(f"{out}: {len(labels):,} labels", markup=False, soft_wrap=True)


@data.command("reverb-mturk")
def reverb_mturk_labels(
    out: Out, part: Annotated[str, typer.Option(help="train or test.")] = "train"
) -> None:
    """Write the judgements of ReVerb facts as labels (e1 r e2 label rater)."""
    if part not in ("train", "test"):
        raise typer.BadParameter("expected train or test", param_hint="--part")
    rejects = Rejects()
    labels = reverb_mturk.read_labels(data_folder() / "reverb_mturk", part, rejects=rejects)
    write_labels(out, labels)
    skipped(rejects.counts, "judgements")
    console.print(f"{out}: {len(labels):,} labels", markup=False, soft_wrap=True)


@data.command("factbench")
def factbench_labels(
    out: Out, part: Annotated[str, typer.Option(help="train or test.")] = "train"
) -> None:
    """Write FactBench's facts as labels (e1 r e2 label rater), with the kind of wrong ones."""
    if part not in ("train", "test"):
        raise typer.BadParameter("expected train or test", param_hint="--part")
    rejects = Rejects()
    facts = factbench.read_facts(data_folder() / "factbench", part, rejects=rejects)
    rows = ((*fact.label.item, word_of(fact.label), fact.label.rater, fact.kind) for fact in facts)
    write_table(out, (*COLUMNS, "kind"), rows)
    skipped(rejects.counts, "facts")
    console.print(f"{out}: {len(facts):,} labels", markup=False, soft_wrap=True)


@sample.command("make")
def make_sample(
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    seed: Annotated[int, typer.Option(help="Another seed makes another sample.")] = 2012,
) -> None:
    """Make the embedded sample: a small corpus with background text, systems and known truth."""
    from jobs.sample import make_sample as make

    make(out, seed=seed)
    console.print(f"{out}: made with seed {seed}", markup=False, soft_wrap=True)


@wordnet.command("compile")
def compile_wordnet(
    folder: Annotated[Path, typer.Argument(help="Folder with WordNet 3.0's dict files.")],
    out: Annotated[
        Path | None, typer.Option(help="File to write; by default the shipped one.")
    ] = None,
) -> None:
    """Compile WordNet's noun and verb graph into the array file that is shipped."""
    from evaluator.wordnet_compile import compile_wordnet as compile_

    out = out or Path(str(resources.files("evaluator"))) / "data" / "wordnet-3.0.npz"
    compile_(folder, out)
    console.print(f"{out}: compiled", markup=False, soft_wrap=True)
