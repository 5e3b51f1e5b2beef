"""People who label facts of a made world: they know what is true, and err as often as chosen."""

from collections.abc import Iterable

import numpy as np

from evaluator.facts.sampling import sample_key
from evaluator.labels.label import Label
from evaluator.labels.questions import Question
from evaluator.model import Fact
from jobs.worlds.making import Made
from jobs.worlds.settings import Rater


def ask(made: Made, facts: Iterable[Fact]) -> list[Question]:
    """Return a question about each of `facts`, with the first sentence that holds it.

    ``distval label draw`` writes such questions for any run; these need none.
    """
    return [_question(made, fact) for fact in facts]


def _question(made: Made, fact: Fact) -> Question:
    sentence = made.corpus.written[made.corpus.sources[fact][0]].sentence
    return Question(
        id=f"{sample_key(0, fact):016x}",
        e1=fact.e1,
        r=fact.r,
        e2=fact.e2,
        name1=made.reality.by_id[fact.e1].name,
        name2=made.reality.by_id[fact.e2].name,
        sentence=sentence.text,
        document=sentence.document,
    )


def rate(
    made: Made, questions: Iterable[Question], rater: Rater, rng: np.random.Generator
) -> list[Label]:
    """Return the labels that `rater` gives to `questions`, in the order of their ids.

    A rater who sees that a name is not the entity it is linked to says so, and calls the fact
    false. One who overlooks it takes the sentence's word for the fact. Without a sentence of the
    corpus there is only the world to ask: whether it is stated, or linked wrongly, is not answered.
    Answers depend on `rng` and on which questions there are, not on their order.
    """
    labels = []
    for question in sorted(questions, key=lambda question: question.id):
        skipped, *errs = rng.random(4) < (rater.skips, *[rater.error] * 3)
        if skipped:
            continue
        wrong_true, wrong_stated, overlooked = map(bool, errs)
        fact = Fact(question.e1, question.r, question.e2)
        true, stated, link_wrong = made.reality.is_true(fact), None, False
        if written := made.corpus.find(question.sentence):
            stated = any(claim.read == fact for claim in written.claims)
            if not written.wrong_links.isdisjoint((fact.e1, fact.e2)):
                link_wrong = not overlooked
                true = stated
        labels.append(
            Label(
                e1=fact.e1,
                r=fact.r,
                e2=fact.e2,
                label=not link_wrong and true != wrong_true,
                rater=rater.name,
                stated=None if link_wrong or stated is None else stated != wrong_stated,
                link_wrong=link_wrong,
            )
        )
    return labels
