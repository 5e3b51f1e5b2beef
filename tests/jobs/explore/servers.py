"""`distval serve` in a process of its own, and a run that is full of markup."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluator.labels.sheets import Answer
from tests.jobs.sample_runs import SAMPLE, of_sample, run

SCRIPT = "<script>document.title = 'broken'</script>"
IMAGE = """<img src=x onerror="document.title = 'broken'">"""
HOSTILE = f"Ada Lovelace met Evil Corp {IMAGE} & 'co'."

_RDF = "<http://rdf.freebase.com/ns/"
_ENTITY = f"""{_RDF}m.s_evil>\t{_RDF}type.object.name>\t"Evil {SCRIPT}"@en\t.
{_RDF}m.s_evil>\t{_RDF}common.topic.alias>\t"Evil Corp"@en\t.
"""


@contextmanager
def serving(run: Path, *options: object) -> Iterator[str]:
    """Serve a run at any free port; yield its address without the last slash."""
    command = [Path(sys.executable).with_name("distval"), "serve", run, "--port", "0", *options]
    server = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith("http://127.0.0.1:"), server.communicate()[1]
        yield line.split()[0].rstrip("/")
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)


def run_of_markup(evidence: Path, folder: Path) -> Path:
    """Make a run whose names, sentences, extractions and labels hold markup and script."""
    dump = folder / "kb.nt"
    dump.write_text((SAMPLE / "kb.nt").read_text() + _ENTITY)
    corpus = folder / "sentences.jsonl"
    corpus.write_text(
        (SAMPLE / "sentences.jsonl").read_text()
        + json.dumps({"document": f"evil {IMAGE}", "number": 0, "text": HOSTILE})
        + "\n"
    )
    said = {
        "sentence": HOSTILE,
        "arg1": "Ada Lovelace",
        "relation": f"met {SCRIPT}",
        "arg2": f"Evil Corp {IMAGE}",
    }
    output = folder / "evil.jsonl"
    output.write_text(json.dumps(said) + "\n")
    settings = (
        f"systems=['evil=jsonl:{output}']",
        f"corpus.sentences={corpus}",
        f"kb.sources=['{dump}']",
        f"kb.path={folder / 'kb'}",
        "engine=local",
    )
    run(of_sample(evidence, folder / "run", *settings))
    labels = folder / "run" / "labels"
    labels.mkdir()
    answer = Answer(
        "1" * 16, "/m/s_ada_lovelace", "meet", "/m/s_evil", "true", True, "", f"<b>{IMAGE}</b>"
    )
    (labels / "answers.jsonl").write_text(json.dumps(answer.as_json()) + "\n")
    return folder / "run"


def copied(run: Path, folder: Path) -> Path:
    """Return a copy of a run, to be changed."""
    return Path(shutil.copytree(run, folder))
