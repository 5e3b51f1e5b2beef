"""The labelling pages: one fact after another, keyboard first; a form that works without a script.

Nothing but the label folder is written. An answer is on disk before the next fact is asked for, and
what a page shows is read from there: two raters at once, or a rater with two windows, lose nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from evaluator.errors import ConfigurationError
from evaluator.estimators.claims import ClaimKind
from evaluator.intervals import Estimate
from evaluator.labels.label import LINK_WRONG, judgement, yes_or_no
from evaluator.labels.questions import ASKED
from evaluator.labels.sheets import Answer
from evaluator.marked_text import marked_parts
from evaluator.model import Rejects
from evaluator.printable import printable
from evaluator.wordings import LETTERS
from jobs.labels.desk import AskedFact, LabelDesk, LabelsSoFar
from jobs.labels.draw import INSTRUCTIONS

RATERS, FIGURES, RATER = "/labels", "/labels/figures", "/label/{rater}"

# What raters forget most of the instructions, beside the questions.
_ORDER = "Read from left to right: the other way round it is another fact."
_NO_RELATION = "It has no relation word: false, unless the sentence gives it a relation."
_STATED = "Whatever the names are linked to."

_LONGEST_COMMENT = 2_000  # characters
_UNDONE = 20  # answers that can be taken back, one after the other

type PageMaker = Callable[..., Response]
"""Renders a template of the explorer: request, its name, and values."""


class FigureSoFar(NamedTuple):
    """A figure with its interval, how much narrower or wider it has become, and whether it claims.

    An interval from few labels claims nothing.
    """

    value: float
    low: float
    high: float
    width: float
    change: str | None
    claims: bool


class LabellingPages:
    """The pages of a label folder.

    Parameters
    ----------
    desk
        The facts and the answers.
    shown
        Renders a page.
    """

    def __init__(self, desk: LabelDesk, shown: PageMaker) -> None:
        self.desk, self._shown = desk, shown
        self._first: LabelsSoFar | None = None

    def raters(self, request: Request) -> Response:
        """Show who labels, how far everybody is, and who has just answered all."""
        done, last = request.query_params.get("done", ""), _undone(request.query_params)
        progress = self.desk.progress()
        back = None
        if done in [of.rater for of in progress]:
            facts = self.desk.facts(done)
            place = _place(facts, last[-1] if last else "")
            back = label_address(done, facts[place], last) if place is not None else None
        return self._shown(
            request,
            "raters.html.j2",
            folder=str(self.desk.folder),
            progress=[(label_address(of.rater), of) for of in progress],
            done=done,
            back=back,
            all_done=all(of.answered >= of.asked for of in progress),
        )

    def fact(self, request: Request) -> Response:
        """Show the fact that the address names to a rater, else the first without an answer.

        Who has answered all starts again with the first.
        """
        rater = request.path_params["rater"]
        facts, said = self.desk.facts(rater), self.desk.answers(rater)
        place = _place(facts, request.query_params.get("fact", ""))
        if place is None:
            following = _open(facts, said, 0)
            one = facts[following or 0] if facts else None
            return RedirectResponse(RATERS if one is None else label_address(rater, one), 303)
        return self._page(request, rater, facts, said, place)

    def answer(self, request: Request) -> Response:
        """Keep the answer that a form holds, or take one back, and lead on."""
        rater, form = request.path_params["rater"], request.state.form
        last = _undone(form)
        facts = self.desk.facts(rater)
        if form.get("do") == "undo":
            place = _place(facts, last.pop() if last else "")
            if place is None:
                raise ConfigurationError("there is no answer to take back")
            self.desk.answer(rater, facts[place].fact.id, "")
            return RedirectResponse(label_address(rater, facts[place], last), 303)
        place = _place(facts, form.get("fact", ""))
        if place is None:
            raise ConfigurationError(f"{rater} is not asked about this fact")
        said = judgement(form.get("label", ""))
        if not said:
            notice = "Choose an answer to the first question."
            answers = self.desk.answers(rater)
            return self._page(
                request, rater, facts, answers, place, form=form, notice=notice, status=400
            )
        stated = yes_or_no(form.get("stated", ""), rejects=(unknown := Rejects()), where="form")
        if unknown.total:
            raise ConfigurationError("the second question is answered by yes or no")
        comment = printable(" ".join(form.get("comment", "").split()))[:_LONGEST_COMMENT]
        fact = facts[place].fact.id
        is_changed = fact in self.desk.answers(rater)
        self.desk.answer(rater, fact, said, stated=stated, comment=comment)
        last.append(fact)
        following = _open(facts, self.desk.answers(rater), place + 1)
        if following is None and is_changed and place + 1 < len(facts):
            following = place + 1  # who looks at all answers again goes through them
        if following is None:
            query = urlencode({"done": rater, "last": ".".join(last[-_UNDONE:])})
            return RedirectResponse(f"{RATERS}?{query}", 303)
        return RedirectResponse(label_address(rater, facts[following], last), 303)

    def figures(self, request: Request) -> Response:
        """Show what the answers so far tell, and how intervals changed since the first look."""
        now = self.desk.standing()
        if self._first is None and now.figures:
            self._first = now
        before = self._first.figures if self._first else {}
        rows = {
            system: [
                _cell(row[m], before.get(system, {}).get(m), now.claims[system].get(m))
                for m in LETTERS
            ]
            for system, row in now.figures.items()
        }
        levels = [of.level for row in now.figures.values() for of in row.values() if of]
        return self._shown(
            request,
            "standing.html.j2",
            answers=now.answers,
            why_not=now.why_not,
            level=levels[0] if levels else 0.95,
            measures=LETTERS.values(),
            rows=rows,
            unclaimed=any(of is not None and not of.claims for row in rows.values() for of in row),
            agreement=[
                (pair.rater1, pair.rater2, pair.both_true + pair.both_false, pair.items)
                for pair in now.agreement
            ],
        )

    def _page(
        self,
        request: Request,
        rater: str,
        facts: list[AskedFact],
        said: Mapping[str, Answer],
        place: int,
        *,
        form: Mapping[str, str] | None = None,
        notice: str = "",
        status: int = 200,
    ) -> Response:
        one = facts[place]
        before = said.get(one.fact.id)
        if form is None:
            form = {} if before is None else before.as_json()
        last = form.get("last", request.query_params.get("last", ""))
        undone = _undone({"last": last})
        around = {name: facts[(place + step) % len(facts)] for name, step in _AROUND.items()}
        sentence = one.fact.document, one.fact.sentence
        return self._shown(
            request,
            "label.html.j2",
            status=status,
            rater=rater,
            place=place + 1,
            asked=len(facts),
            answered=sum(bool(said[x.fact.id].said) for x in facts if x.fact.id in said),
            one=one,
            fact=one.fact,
            sentence=marked_parts(one.fact.sentence, one.fact.spans),
            questions=ASKED,
            hints={"label": _ORDER if one.fact.r else _NO_RELATION, "stated": _STATED},
            link_wrong=LINK_WRONG,
            linked=one.first.is_linked or one.second.is_linked,
            same_sentence=sum((x.fact.document, x.fact.sentence) == sentence for x in facts),
            said=form.get("label", ""),
            stated=form.get("stated", ""),
            comment=form.get("comment", ""),
            last=last,
            can_undo=bool(undone),
            notice=notice,
            figures=FIGURES,
            instructions=INSTRUCTIONS,
            **{name: label_address(rater, fact, undone) for name, fact in around.items()},
        )


_AROUND = {"previous": -1, "next": 1}


def label_address(rater: str, one: AskedFact | None = None, last: list[str] | None = None) -> str:
    """Return the address of a rater's page, for a fact; `last` are answers that can be undone."""
    asked: dict[str, Any] = {} if one is None else {"fact": one.fact.id}
    if last:
        asked["last"] = ".".join(last[-_UNDONE:])
    address = RATER.format(rater=quote(rater, safe=""))
    return f"{address}?{urlencode(asked)}" if asked else address


def _undone(given: Mapping[str, str]) -> list[str]:
    """Return the facts whose answers can be taken back, the last one at the end."""
    return [one for one in given.get("last", "").split(".") if one][-_UNDONE:]


def _place(facts: list[AskedFact], identity: str) -> int | None:
    return next((n for n, one in enumerate(facts) if one.fact.id == identity), None)


def _open(facts: list[AskedFact], said: Mapping[str, Answer], start: int) -> int | None:
    """Return the first fact without an answer from `start` on, and then from the beginning."""
    order = [*range(start, len(facts)), *range(start)]
    answered = {identity for identity, answer in said.items() if answer.said}
    return next((n for n in order if facts[n].fact.id not in answered), None)


def _cell(
    now: Estimate | None, before: Estimate | None, claim: ClaimKind | None
) -> FigureSoFar | None:
    if now is None or now.value is None or now.low is None or now.high is None:
        return None
    width, change = now.high - now.low, None
    if before is not None and before is not now and before.width is not None:
        points = 100 * (width - before.width)
        if shown := round(abs(points), 1):
            change = f"{shown:.1f} {'wider' if points > 0 else 'narrower'}"
    return FigureSoFar(now.value, now.low, now.high, width, change, claim != "few labels")
