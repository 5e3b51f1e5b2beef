"""The addresses of the explorer, and what is shown at each."""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from evaluator import wordings
from evaluator.errors import ConfigurationError, DistvalError, SetupError
from evaluator.marked_text import marked_parts
from evaluator.report.figures import percent
from evaluator.report.page import environment
from evaluator.report.parts import how_stated, words
from evaluator.wordnet.similarity import IDENTICAL
from jobs.explore.evidence import LiveEvidence
from jobs.explore.filters import LABELS, PAGE, SORTS, VERDICTS, FactFilter
from jobs.explore.guard import Guard
from jobs.explore.labelling import FIGURES, RATER, RATERS, LabellingPages
from jobs.explore.sentence_view import SentenceView, view_sentence
from jobs.labels.desk import LabelDesk
from jobs.run.facts_table import REGIONS, FactsTable, sentence_spans

_LONGEST_FORM = 1 << 16  # bytes

type Page = Callable[[Request], Response]


class Explorer:
    """The pages about one run.

    Requests are answered one after the other, by one thread: the table of facts is one connection,
    and Java likes one thread best. Answers of raters have a thread of their own, so that they wait
    for no search, and so have the figures that these give.

    Parameters
    ----------
    table
        The facts, opened to be asked often.
    evidence
        The knowledge base, the text, and the annotator.
    desk
        The label folder to fill; None where facts are only shown.
    """

    def __init__(
        self, table: FactsTable, evidence: LiveEvidence, desk: LabelDesk | None = None
    ) -> None:
        self.table, self.evidence = table, evidence
        self.labelling = None if desk is None else LabellingPages(desk, self._shown)
        self._thread, self._raters, self._figures = (
            ThreadPoolExecutor(1, thread_name_prefix=name)
            for name in ("explorer", "raters", "figures")
        )
        self._facts = table.count()
        table.rows(limit=1)  # what the first look takes (WordNet is read) nobody has to wait for

    def app(self, port: int) -> Guard:
        """Return the application for a server at `port` of loopback."""
        pages: dict[str, Page] = {
            "/": self.listed,
            "/fact": self.fact,
            "/sentence": self.sentence,
            "/try": self.tried,
            "/report": self.report,
        }
        routes = [Route(path, self._answered(page)) for path, page in pages.items()]
        if self.labelling is not None:
            labelling = self.labelling
            routes += [
                Route(RATERS, self._answered(labelling.raters, self._raters)),
                Route(RATER, self._answered(labelling.fact, self._raters)),
                Route(RATER, self._answered(labelling.answer, self._raters), methods=["POST"]),
                Route(FIGURES, self._answered(labelling.figures, self._figures)),
            ]
        routes.append(Route("/static/{name}", _static))
        missing = {404: self._answered(lambda request: self._problem(request, "no such page", 404))}
        return Guard(Starlette(routes=routes, exception_handlers=missing), port)

    def close(self) -> None:
        """End the threads that answer."""
        for thread in (self._thread, self._raters, self._figures):
            thread.shutdown(wait=False, cancel_futures=True)

    def listed(self, request: Request) -> Response:
        """Show the facts that an address asks for."""
        state = FactFilter.of(request.query_params)
        state.check(self.table.systems)
        condition = state.condition(self.table)
        found = self._facts if state.is_bare else self.table.count(condition)
        pages = max(1, -(-found // PAGE))
        if state.number > pages:
            return RedirectResponse(state.address(page=str(pages)), 303)
        rows = self.table.rows(
            condition,
            system=state.system or None,
            order=state.order(),
            limit=PAGE,
            offset=PAGE * (state.number - 1),
        )
        return self._shown(
            request,
            "list.html.j2",
            state=state,
            rows=[self._listed_fact(row) for row in rows],
            found=found,
            pages=pages,
            first=PAGE * (state.number - 1) + 1,
        )

    def fact(self, request: Request) -> Response:
        """Show all there is about one fact."""
        asked = request.query_params
        text = self.table.engine.text
        same = " AND ".join(f"{name} = {text(asked.get(name, ''))}" for name in ("e1", "r", "e2"))
        negated = "true" if asked.get("negated") == "1" else "false"
        where = f"{same} AND negated = {negated}"
        rows = self.table.rows(where, system=None)
        if not rows:
            return self._problem(request, "the run has no such fact", 404)
        [row] = rows
        [(closest,)] = self.table.engine.rows(f"SELECT closest FROM facts WHERE {where}")
        told, problem = None, None
        try:
            told = self.evidence.of_fact(row, closest)
        except DistvalError as error:
            problem = str(error)
        return self._shown(
            request,
            "fact.html.j2",
            row=self._listed_fact(row),
            told=told,
            problem=problem,
            view=self._sentence_of(row),
            score=None if told is None else self.evidence.score,
        )

    def sentence(self, request: Request) -> Response:
        """Show what systems made of one sentence, side by side."""
        asked = request.query_params
        chosen = [name for name in asked.getlist("system") if name]
        for name in chosen:
            if name not in self.table.systems:
                raise ConfigurationError(
                    f"system “{name}”: expected one of {', '.join(self.table.systems)}"
                )
        try:
            number = int(asked.get("number", ""))
        except ValueError:
            raise ConfigurationError("number: expected the sentence's number") from None
        view = view_sentence(
            self.table, asked.get("document", ""), number, chosen or self.table.systems
        )
        if view is None:
            return self._problem(request, "the corpus has no such sentence", 404)
        return self._shown(request, "sentence.html.j2", view=view, chosen=chosen)

    def tried(self, request: Request) -> Response:
        """Judge the candidate superset of a sentence that somebody types."""
        text = request.query_params.get("text", "").strip()
        sentence, candidates = None, None
        if text:
            sentence = self.evidence.annotated(text)
            candidates = self.evidence.candidates(sentence)
        names = {mention.entity for mention in (sentence and sentence.mentions) or ()}
        return self._shown(
            request,
            "try.html.j2",
            text=text,
            sentence=sentence,
            candidates=candidates,
            names={entity: self.evidence.name(entity) for entity in sorted(names)},
        )

    def report(self, request: Request) -> Response:
        """Show the report of the run as it stands in its directory."""
        try:
            page = (self.table.configuration.run / "report.html").read_bytes()
        except FileNotFoundError:
            return self._problem(request, "the run has no report: distval report writes one", 404)
        return Response(page, media_type="text/html", headers=_OF_REPORT)

    def _sentence_of(self, row: Mapping[str, Any]) -> SentenceView | None:
        if row["document"] is None:
            return None
        return view_sentence(self.table, row["document"], row["number"], self.table.systems)

    def _listed_fact(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a fact with its sentence cut where its elements stand."""
        text = row["sentence"]
        parts = None if text is None else marked_parts(text, sentence_spans(row))
        return row | {"parts": parts}

    def _shown(
        self, request: Request, template: str, *, status: int = 200, **values: Any
    ) -> Response:
        page = _environment().get_template(template)
        common = {
            "path": request.url.path,
            "run": self.table.configuration.name,
            "systems": self.table.systems,
            "facts": self._facts,
            "corpus": self.table.configuration.corpus is not None,
            "labels_here": self.labelling is not None,
            "regions": REGIONS,
            "verdicts": VERDICTS,
            "labels": LABELS,
            "sorts": list(SORTS),
        }
        return HTMLResponse(page.render(common | values), status_code=status)

    def _problem(self, request: Request, problem: str, status: int) -> Response:
        return self._shown(request, "problem.html.j2", status=status, problem=problem)

    def _answered(
        self, page: Page, thread: ThreadPoolExecutor | None = None
    ) -> Callable[..., Awaitable[Response]]:
        """Return what answers with a page that a thread makes; by default that of the facts."""

        def made(request: Request) -> Response:
            try:
                return page(request)
            except (DistvalError, OSError) as error:
                return self._problem(request, str(error), _status(error))

        async def answer(request: Request, _error: Exception | None = None) -> Response:
            if request.method == "POST" and not await _read_form(request):
                return Response("too long", 413, media_type="text/plain")
            return await asyncio.get_running_loop().run_in_executor(
                thread or self._thread, made, request
            )

        return answer


def _status(error: DistvalError | OSError) -> int:
    """Return the status for an error: the question is wrong, or what it needs is not there."""
    if isinstance(error, ConfigurationError):
        return 400
    cause = error if isinstance(error, OSError) else error.__context__
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
        return 507
    return 503 if isinstance(error, SetupError) else 500


async def _read_form(request: Request) -> bool:
    """Put what a form sent into the request's state; False where it is longer than forms are."""
    sent = b""
    async for chunk in request.stream():
        sent += chunk
        if len(sent) > _LONGEST_FORM:
            return False
    request.state.form = {
        name: values[-1] for name, values in parse_qs(sent.decode("utf-8", "replace")).items()
    }
    return True


# The report is one file: its style stands in it, and it has no script.
_OF_REPORT = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
}
_FILES = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "label.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return Response("no such file", 404, media_type="text/plain")
    return Response(_content(name), media_type=_FILES[name])


@cache
def _content(name: str) -> str:
    """Return a file of the pages; their style is that of the report, and what they add."""
    own = resources.files("jobs.explore").joinpath("static", name).read_text("utf-8")
    shared = environment().get_template("page_style.css.j2").render() if name == "page.css" else ""
    return shared + own


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("jobs.explore"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        counts=wordings.COUNTS,
        no_relation_word=wordings.NO_RELATION_WORD,
        region_texts=wordings.REGIONS,
    )
    made.filters.update(
        count=_count, figure=_figure, how_stated=how_stated, in_words=words, percent=percent
    )
    return made


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return "identical" if value >= IDENTICAL else f"{value:.3g}"
