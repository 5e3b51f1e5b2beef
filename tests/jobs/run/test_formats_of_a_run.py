"""A run reads systems in any format, also under keys of their own, and tells what each file is."""

import json
from pathlib import Path

from evaluator.model import Rejects
from evaluator.readers import SystemSource, read_extractions
from tests.jobs.commands import command
from tests.jobs.sample_runs import CONF, SAMPLE


def test_the_same_extractions_under_own_keys_give_the_same_figures(
    evidence: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.json"
    source = SystemSource("alpha", "tabbed", SAMPLE / "alpha.tabbed")
    records = [
        {"who": e.arg1, "does": e.relation, "whom": e.arg2, "in": e.sentence, "sure": e.confidence}
        for e in read_extractions(source, rejects=Rejects())
    ]
    own.write_text(json.dumps(records))
    keys = "confidence=sure,object=whom,relation=does,sentence=in,subject=who"
    systems = [f"alpha=auto:{SAMPLE / 'alpha.tabbed'}", f"own=auto({keys}):{own}"]
    settings = [
        f"run={tmp_path / 'run'}", f"kb.path={evidence / 'kb'}", f"index.path={evidence / 'index'}",
        "engine=local", f"systems={json.dumps(systems)}",
    ]  # fmt: skip
    done = command("run", CONF, *(word for one in settings for word in ("--set", one)))
    assert done.code == 0, done.err
    first = (
        "(Akira Kurosawa; died in; Tokyo), confidence 0.868, in 'Akira Kurosawa died in Tokyo .'"
    )
    assert done.err.splitlines()[:4] == [
        f"  alpha: {SAMPLE / 'alpha.tabbed'}: tabbed (told by four columns or more, of which the "
        "second is a score or empty)",
        f"    line 1: {first}",
        f"  own: {own}: json({keys}) (its keys are named)",
        f"    line 1: {first}",
    ]
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    alpha, other = (result["systems"][name] for name in ("alpha", "own"))
    assert alpha["extractions"].pop("rejected")
    assert not other["extractions"].pop("rejected")
    assert other["facts"] == alpha["facts"] > 0
    assert other["regions"] == alpha["regions"]
    assert f"({keys})" in result["signature"]
