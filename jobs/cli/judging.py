"""``distval judge``: facts of a run for judges from outside, and models that are asked."""

import re
import sys
from contextlib import nullcontext
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer

from evaluator.errors import ConfigurationError, DistvalError
from evaluator.judges.judgements import JudgeQuestion
from evaluator.model import Rejects
from evaluator.whole_files import whole_file
from evaluator.wordings import plural
from jobs.bounds import CALLS, PER_MINUTE, REQUESTS, TOKENS
from jobs.cli.checks import within
from jobs.cli.commands import Commands
from jobs.cli.files import FILLS, READS, WRITES, Reads
from jobs.cli.output import (
    Json,
    console,
    errors,
    number,
    print_json,
    print_line,
    skipped_with_first,
    table,
)

judge = Commands(help="Judges from outside: language models.", no_args_is_help=True)

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a finished run."), READS]
Facts = Annotated[
    str,
    typer.Option(
        "--facts",
        metavar="open|all|labels|FILE",
        help="Facts that the text judged, all judged ones, those drawn for labels, or a table.",
    ),
    Reads(lambda told: [] if told in ("open", "all", "labels") else [Path(told)]),
]
Asked = Annotated[
    JudgeQuestion,
    typer.Option("--question", help="True in the world, or stated by the sentence."),
]
Prompt = Annotated[
    Path | None,
    typer.Option("--prompt", help="A template: {fact}, {sentence} and {snippets} are filled in."),
    READS,
]

_FOR_THE_ESTIMATE = 100  # prompts that are made before the first request
_NO_NAME = re.compile(r"[^\w.-]+")


def _name_of_model(model: str) -> str:
    if not model.strip():
        raise ConfigurationError("--model: a name is expected; answers go by it")
    return model


@judge.command("export", example="distval judge export runs/demo --model MODEL --out batch.jsonl")
def export(
    run: Run,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write; else standard output.", show_default=False),
        WRITES,
    ] = None,
    facts: Facts = "open",
    question: Asked = "world",
    prompt: Prompt = None,
    model: Annotated[
        str, typer.Option(help="Name of the model, for the requests.", callback=_name_of_model)
    ] = "MODEL",
) -> None:
    """Write facts as requests to a chat service's batches.

    A request has the fact in words, its sentence, and the best snippets with their documents. The
    annotator `external` reads the service's output.
    """
    from jobs.judging.batches import batch_line
    from jobs.judging.prompts import PromptTemplate
    from jobs.judging.run_prompts import RunPrompts

    template = PromptTemplate.of(question, prompt)
    rejects = Rejects()
    prompts = RunPrompts(run, facts, template, rejects=rejects)
    lines = (batch_line(one, template, model=model) for one in prompts(prompts.facts))
    written = 0
    with whole_file(out) if out else nullcontext(sys.stdout) as file:
        for line in lines:
            file.write(line)
            written += 1
    skipped_with_first(rejects, "facts")
    where = f"{out}: " if out else ""
    told = f"{where}{plural(written, 'request')}, prompt {template.digest}"
    print_line(told, to=console if out else errors)


@judge.command(
    "ask", example="distval judge ask runs/demo --endpoint http://localhost:8000/v1 --model MODEL"
)
def ask(
    run: Run,
    endpoint: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="A chat-completions server; the key, if any, is in DISTVAL_JUDGE_KEY.",
        ),
    ],
    model: Annotated[str, typer.Option(help="Name of the model.", callback=_name_of_model)],
    prompt: Prompt = None,
    question: Asked = "world",
    facts: Facts = "open",
    out: Annotated[
        Path | None,
        typer.Option(
            help="File of answers, added to; RUN/judges/MODEL.jsonl by default.", show_default=False
        ),
        FILLS,
    ] = None,
    concurrency: Annotated[int, within(REQUESTS, help="Requests at the same time.")] = 4,
    rate: Annotated[
        float | None, within(PER_MINUTE, metavar="PER_MINUTE", help="Requests a minute at most.")
    ] = None,
    max_calls: Annotated[
        int | None, within(CALLS, help="Requests at most, those sent again included.")
    ] = None,
    max_tokens: Annotated[
        int | None, within(TOKENS, help="Tokens of prompts and answers at most.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before the first request.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask a language model about facts, at temperature 0.

    Every answer is on disk before the next request: run the same command again after a stop, and
    nothing is asked twice. The file of answers is read by the annotator `external`.
    """
    from jobs.judging.answer_file import AnswerFile, AnswerKey
    from jobs.judging.asking import ANSWER_TOKENS, Asking, estimated_tokens
    from jobs.judging.chat_server import ChatServer
    from jobs.judging.prompts import PromptTemplate
    from jobs.judging.run_prompts import RunPrompts, fact_id

    template = PromptTemplate.of(question, prompt)
    server = ChatServer(endpoint=endpoint, per_minute=rate)
    rejects = Rejects()
    prompts = RunPrompts(run, facts, template, rejects=rejects)
    place = out or run / "judges" / f"{_NO_NAME.sub('-', model)}.jsonl"
    with AnswerFile.open(place) as file:
        key = AnswerKey(model, template.digest, question, id="")
        left = [f for f in prompts.facts if key._replace(id=fact_id(f)) not in file.known]
        there = len(prompts.facts) - len(left)
        calls = min(len(left), max_calls) if max_calls is not None else len(left)
        made = prompts(left)
        with errors.status("preparing prompts …"):
            first = list(islice(made, min(calls, _FOR_THE_ESTIMATE)))
        each = sum(estimated_tokens(one.text) for one in first) / max(len(first), 1)
        if file.healed:
            print_line(f"{place}: half an answer at its end taken away", to=errors)
        print_line(
            f"{plural(len(left), 'fact')} to ask {model} about at {server.name}, {there:,} "
            f"answered already: {plural(calls, 'request')}, about {each * calls:,.0f} tokens of "
            f"prompts and {ANSWER_TOKENS * calls:,} of answers, prompt {template.digest}, "
            f"into {place}",
            to=errors,
        )
        if first and not (yes or _confirmed()):
            raise typer.Exit(1)
        with errors.status("asking …") as status:
            asking = Asking(
                server,
                file,
                model=model,
                template=template,
                workers=concurrency,
                most_requests=max_calls,
                most_tokens=max_tokens,
                on_answer=lambda done: status.update(f"asking … {done:,} of {len(left):,}"),
            )
            try:
                asking.ask(chain(first, made))
            finally:
                skipped_with_first(rejects, "facts")
                told = {"file": str(place), "answered_before": there, **asking.done.as_json()}
                print_json(told) if as_json else _show(told)
    if failed := sum(asking.done.failed.values()):
        without = f"{plural(failed, 'fact')} without an answer"
        raise DistvalError(f"{without}; run the same command again to ask about them")


def _confirmed() -> bool:
    if not sys.stdin.isatty():
        raise ConfigurationError("say --yes to ask without being asked first")
    return typer.confirm("Go on?", err=True)


def _show(told: dict[str, Any]) -> None:
    """Show what asking came to."""
    rows = [[name, told[name]] for name in ("yes", "no")]
    rows += [[f"unreadable: {why}", count] for why, count in told["unreadable"].items()]
    rows += [[f"without an answer: {why}", count] for why, count in told["failed"].items()]
    columns = ["answer", "facts"]
    console.print(table("Answers", columns, ([name, number(count)] for name, count in rows)))
    print_line(
        f"{plural(told['requests'], 'request')}, {told['retries']:,} of them again; "
        f"{plural(told['tokens'], 'token')}"
    )
    if told["limit"]:
        print_line(f"Stopped at {told['limit']}.")
    print_line(f"Answers are in {told['file']}.")
