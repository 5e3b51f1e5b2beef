"""Two systems on the same facts: hand counts, brute force over single facts, and error rates.

A fact is a row (first, second, candidate, matched, judged, accepted), all 0 or 1; the oracles work
on rows, the code on counts.
"""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import beta
from statsmodels.stats.multitest import multipletests

from evaluator.comparison.two_systems import (
    MEASURES,
    Comparison,
    Difference,
    PValue,
    StatedBy,
    compare,
    compare_all,
    compare_draws,
    holm,
    with_holm,
)
from evaluator.comparison.withheld import NO_LABELS, clear
from evaluator.estimators.census import census
from evaluator.estimators.tallies import CANDIDATES_REST, Cell, system_rest, system_tallies
from evaluator.intervals import Drawing


def cells(facts, first="A", second="B") -> list[Cell]:
    made = []
    for (in1, in2, candidate, matched, judged, accepted), number in Counter(
        map(tuple, facts)
    ).items():
        systems = frozenset(name for name, stated in ((first, in1), (second, in2)) if stated)
        samples = {system_rest(name) for name in systems} | (
            {CANDIDATES_REST} if candidate else set()
        )
        verdict = "matched" if matched else "accepted" if accepted else "rejected"
        judged = judged and not matched
        made.append(
            Cell(
                bool(candidate),
                systems,
                bool(matched),
                verdict if matched or judged else None,
                frozenset(samples if judged else ()),
                number,
            )
        )
    return made


def figures(facts, weights=None):
    """P, R and F of both systems from single facts, each stratum expanded from what is judged."""
    in1, in2, candidate, matched, judged, accepted = np.asarray(facts, dtype=float).T
    weights = np.ones(len(facts)) if weights is None else weights
    true = weights * matched
    strata = 4 * in1 + 2 * in2 + candidate
    for stratum in set(strata):
        rest = (strata == stratum) & (matched == 0)
        known = weights * rest * judged
        if known.sum():
            true = true + weights * rest * (known @ accepted) / known.sum()
    measured = []
    for member in (in1, in2):
        facts_of, right = weights @ member, true @ member
        truth = true @ np.maximum(member, candidate)
        measured.append((right / facts_of, right / truth, 2 * right / (facts_of + truth)))
    return np.array(measured).T


def differences(facts, weights=None):
    measured = figures(facts, weights)
    return measured[:, 0] - measured[:, 1]


def world(rng, number, *, judged=1.0, shares=(0.3, 0.3, 0.3, 0.1)):
    """Facts stated by the first alone, the second alone, both, neither; so many true of each."""
    kinds = rng.choice(4, size=number, p=[0.25, 0.2, 0.25, 0.3])
    in1, in2 = np.isin(kinds, (0, 2)), np.isin(kinds, (1, 2))
    candidate = (kinds == 3) | (rng.random(number) < 0.7)
    matched = rng.random(number) < 0.05
    known = rng.random(number) < judged
    return np.array(
        [in1, in2, candidate, matched, known, rng.random(number) < np.array(shares)[kinds]]
    ).T


# First: 4 facts, 3 true; second: 3 facts, 1 true. Candidates: all but one true fact of the first;
# true among them are 2 of the first, 1 of both counted there already, and 2 that neither states.
HAND = [
    (1, 0, 1, 1, 1, 0),  # the first alone, in D
    (1, 0, 0, 0, 1, 1),  # the first alone, accepted, outside G'
    (1, 0, 1, 0, 1, 0),
    (1, 1, 1, 0, 1, 1),  # both, accepted
    (0, 1, 1, 0, 1, 0),
    (0, 1, 0, 0, 1, 0),
    (0, 0, 1, 1, 1, 0),  # neither, in D
    (0, 0, 1, 0, 1, 1),  # neither, accepted
    (0, 0, 1, 0, 1, 0),
]


def test_a_comparison_by_hand():
    compared = compare(cells(HAND), "A", "B", Drawing(seed=1, draws=100))
    assert (compared.only_first, compared.only_second, compared.both) == (3, 2, 1)
    # True that the first could state: its own three and the two that neither states; the second
    # could state its own one, the first's in D, and those two.
    expected = {"precision": (3 / 4, 1 / 3), "recall": (3 / 5, 1 / 4), "f1": (6 / 9, 2 / 7)}
    for name, (first, second) in expected.items():
        found = compared.measures[name]
        assert (found.first, found.second) == pytest.approx((first, second))
        assert found.difference.value == pytest.approx(first - second)
        assert found.difference.low <= found.difference.value <= found.difference.high
    assert compared.measures["precision"].difference.n == 6
    assert compared.measures["recall"].difference.n == 9


def test_samples_are_expanded_stratum_by_stratum():
    # The first alone: 100 facts, 1 of 4 accepted: 25. Both: 10, 1 of 2: 5. The second alone: 30,
    # 2 of 3: 20. Neither: 1,000, 1 of 10: 100. All are candidates, so G has 150 facts.
    facts = []
    for in1, in2, number, judged, accepted in (
        (1, 0, 100, 4, 1),
        (1, 1, 10, 2, 1),
        (0, 1, 30, 3, 2),
        (0, 0, 1000, 10, 1),
    ):
        facts += [(in1, in2, 1, 0, i < judged, i < accepted) for i in range(number)]
    compared = compare(cells(facts), "A", "B", Drawing(seed=1, draws=100))
    assert compared.measures["precision"][:2] == pytest.approx((30 / 110, 25 / 40))
    assert compared.measures["recall"][:2] == pytest.approx((30 / 150, 25 / 150))
    assert compared.measures["f1"][:2] == pytest.approx((60 / 260, 50 / 190))


def test_a_stratum_without_a_judged_fact_takes_the_share_of_its_like():
    # Outside G' the first alone states two facts, none judged; inside, one of two is accepted.
    facts = [(1, 0, 1, 0, 1, 1), (1, 0, 1, 0, 1, 0), *[(1, 0, 0, 0, 0, 0)] * 2]
    compared = compare(cells([*facts, (0, 1, 1, 0, 1, 1)]), "A", "B", Drawing(seed=1, draws=100))
    assert compared.measures["precision"].first == pytest.approx(2 / 4)
    # Nothing of both is judged: of all that either states, two of three are accepted.
    facts += [(0, 1, 1, 0, 1, 1), (1, 1, 1, 0, 0, 0)]
    compared = compare(cells(facts), "A", "B", Drawing(seed=1, draws=100))
    assert compared.measures["precision"].second == pytest.approx((1 + 2 / 3) / 2)


def test_what_is_judged_for_a_third_system_changes_nothing():
    open_fact = (1, 0, 1, 0, 0, 0)
    plain = cells([*HAND, open_fact])
    (unjudged,) = (cell for cell in plain if cell.verdict is None)
    third = unjudged._replace(
        systems=unjudged.systems | {"C"}, verdict="accepted", samples=frozenset({system_rest("C")})
    )
    elsewhere = Cell(False, frozenset("C"), True, "matched", frozenset(), 7)
    other = [cell for cell in plain if cell is not unjudged] + [third, elsewhere]
    drawing = Drawing(seed=1, draws=50)
    assert compare(other, "A", "B", drawing) == compare(plain, "A", "B", drawing)


@pytest.mark.parametrize("seed", range(5))
def test_where_all_is_judged_the_figures_are_those_of_the_census(seed):
    made = cells(world(np.random.default_rng(seed), 200))
    compared = compare(made, "A", "B", Drawing(seed=1, draws=10))
    for place, name in enumerate("AB"):
        t = system_tallies(made, name)
        estimate = census(
            Drawing(draws=10, seed=1),
            b=t.b,
            c=t.c,
            system_rest=t.system_rest,
            candidate_rest=t.candidate_rest,
            outside_candidates=t.outside_candidates,
        )
        for measure in MEASURES:
            expected = getattr(estimate, measure).value
            assert compared.measures[measure][place] == pytest.approx(expected, rel=1e-12)


def test_undefined_verdicts_are_not_correct():
    rejected = cells(HAND)
    undefined = [
        cell._replace(verdict="no pair") if cell.verdict == "rejected" else cell
        for cell in rejected
    ]
    drawing = Drawing(seed=1, draws=100)
    assert compare(undefined, "A", "B", drawing) == compare(rejected, "A", "B", drawing)


@pytest.mark.parametrize("judged", [1.0, 0.4])
def test_the_bootstrap_is_that_of_single_facts(judged):
    rng = np.random.default_rng(3)
    facts = world(rng, 300, judged=judged, shares=(0.5, 0.3, 0.6, 0.2))
    found = compare(cells(facts), "A", "B", Drawing(seed=1, draws=20_000))
    brute = np.array([differences(facts[rng.integers(300, size=300)]) for _ in range(3000)])
    for place, name in enumerate(MEASURES):
        interval = found.measures[name].difference
        assert interval.value == pytest.approx(differences(facts)[place])
        # An end from 3,000 draws is uncertain by about 2.5 % of the width of the interval.
        low, high = np.quantile(brute[:, place], [0.025, 0.975])
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.08 * (high - low))


def test_the_level_is_that_of_the_interval():
    made = cells(world(np.random.default_rng(3), 300))
    wide, narrow = (
        compare(made, "A", "B", Drawing(seed=1, level=level)).measures["f1"].difference
        for level in (0.95, 0.5)
    )
    # Normal: 1.96 and 0.674 standard errors to each side.
    ratio = (wide.high - wide.low) / (narrow.high - narrow.low)
    assert ratio == pytest.approx(1.96 / 0.674, rel=0.05)


def test_a_system_beside_itself():
    facts = [fact for fact in HAND if fact[0] == fact[1]] + [(1, 1, 1, 0, 0, 0)] * 5
    for measure in compare(cells(facts), "A", "B", Drawing(seed=1, draws=200)).measures.values():
        assert measure.difference[:3] == (0, 0, 0)


def test_no_verdict_of_the_annotator_makes_a_difference_significant():
    facts = [(1, 0, 1, 0, 1, 1)] * 1_000 + [(0, 1, 1, 0, 1, 0)] * 1_000
    for measure in compare(cells(facts), "A", "B", Drawing(seed=1, draws=99)).measures.values():
        assert measure.difference.low > 0
        assert measure.tests == {}
        assert not clear(measure)
        told = measure.as_json()
        assert (told["tests"], told["withheld"]) == (None, NO_LABELS)


def test_neither_the_order_of_facts_nor_names_matter():
    facts = world(np.random.default_rng(4), 200, judged=0.5)
    shuffled = np.random.default_rng(5).permutation(facts)
    found = compare(cells(facts), "A", "B", Drawing(seed=1, draws=500))
    again = compare(cells(shuffled, "zeta", "G'"), "zeta", "G'", Drawing(seed=1, draws=500))
    assert again == found._replace(first="zeta", second="G'")
    assert compare(cells(facts), "A", "B", Drawing(seed=2, draws=500)) != found
    turned = compare(cells(facts), "B", "A", Drawing(seed=1, draws=500))
    for name in MEASURES:
        value = found.measures[name].difference.value
        assert turned.measures[name].difference.value == pytest.approx(-value)


def test_without_a_corpus_only_precision_is_compared():
    compared = compare(cells(HAND), "A", "B", Drawing(seed=1, draws=10), corpus=False)
    assert list(compared.measures) == ["precision"]


def test_what_is_not_estimable_has_no_figures():
    # No fact that neither states is judged: recall is unknown, precision is not.
    facts = [*HAND[:6], (0, 0, 1, 0, 0, 0)]
    compared = compare(cells(facts), "A", "B", Drawing(seed=1, draws=50))
    assert compared.measures["precision"].first == 3 / 4
    for name in ("recall", "f1"):
        found = compared.measures[name]
        assert (found.first, found.second, found.difference.value) == (None, None, None)
    # A system without facts has a recall, 0, and no precision.
    compared = compare(
        cells([fact for fact in HAND if not fact[1]]), "A", "B", Drawing(seed=1, draws=50)
    )
    assert compared.measures["precision"].second is None
    assert compared.measures["recall"].second == 0
    # The one draw may hold no fact of one of the systems.
    two = cells([(1, 0, 1, 0, 1, 1), (0, 1, 1, 0, 1, 1)])
    ends = {
        compare(two, "A", "B", Drawing(seed=i, draws=1)).measures["precision"][2][:2]
        for i in range(9)
    }
    assert ends == {(None, None), (0, 0)}
    empty = compare([], "A", "B", Drawing(seed=1, draws=10))
    assert all(found.difference.value is None for found in empty.measures.values())


def test_a_million_facts_are_no_more_work_than_a_dozen():
    # The standard error of a difference of shares p of n facts each: √(2·p·(1 − p)/n).
    made = [
        cell._replace(facts=1_000_000 if cell.verdict == "accepted" else 3_000_000)
        for cell in cells(
            [(1, 0, 1, 0, 1, 1), (1, 0, 1, 0, 1, 0), (0, 1, 1, 0, 1, 1), (0, 1, 1, 0, 1, 0)]
        )
    ]
    found = compare(made, "A", "B", Drawing(seed=1)).measures["precision"].difference
    half = 1.96 * np.sqrt(2 * 0.25 * 0.75 / 4_000_000)
    assert (found.low, found.high) == pytest.approx((-half, half), rel=0.05)


def test_all_pairs_are_compared_and_p_values_corrected_over_them():
    made = [
        Cell(True, frozenset(name), False, verdict, frozenset({system_rest(name)}), facts)
        for name, right in (("A", 50), ("B", 40), ("C", 20))
        for verdict, facts in (("accepted", right), ("rejected", 100 - right))
    ]
    pairs = compare_all(made, "ABC", Drawing(seed=1, draws=99))
    assert [(pair.first, pair.second) for pair in pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert pairs[1] == compare(made, "A", "C", Drawing(seed=1, draws=99))
    tested = [
        pair._replace(measures={"f1": pair.measures["f1"]._replace(tests={"posterior": PValue(p)})})
        for pair, p in zip(pairs, (0.04, 0.01, 0.015), strict=True)
    ]
    corrected = [pair.measures["f1"].tests["posterior"] for pair in with_holm(tested)]
    # 3·0.01; 2·0.015; 0.04.
    assert [test.holm for test in corrected] == pytest.approx([0.04, 0.03, 0.03])


def test_holm_by_hand():
    # 4·0.01, 3·0.015 = 0.045, 2·0.04 = 0.08, and 0.05, which must not be below the one before.
    assert holm([0.04, 0.01, 0.05, 0.015]) == pytest.approx([0.08, 0.04, 0.08, 0.045])
    assert holm([0.6, None, 0.7]) == [1.0, None, 1.0]
    assert holm([None]) == [None]
    assert holm([]) == []


def test_holm_is_that_of_statsmodels():
    rng = np.random.default_rng(1)
    for number in (1, 2, 15):
        p_values = [*(rng.random(number) ** 3), 0.2, 0.2]
        assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


# 10 facts of the first alone, 10 of both, 20 of the second alone, 100 of neither, all candidates.
PATTERNS = {
    StatedBy(True, frozenset("A")): 10,
    StatedBy(True, frozenset("AB")): 6,
    StatedBy(True, frozenset("ABC")): 4,
    StatedBy(True, frozenset("B")): 20,
    StatedBy(True, frozenset("C")): 100,
    StatedBy(False, frozenset("C")): 50,
}


def test_draws_of_true_facts_by_hand():
    true = dict(
        zip(
            PATTERNS,
            np.array([[5, 4, 3], [2, 2, 1], [2, 2, 1], [5, 9, 3], [10] * 3, [9] * 3]),
            strict=True,
        )
    )
    judged = dict.fromkeys(PATTERNS, 3)
    found = compare_draws(true, PATTERNS, "A", "B", judged=judged, level=0.5)
    # P of the first 9/20, 8/20, 5/20; of the second 9/30, 13/30, 5/30; means of the draws:
    # 4 + 10/3 and 10/3 + 17/3.
    precision = found.measures["precision"]
    assert (precision.first, precision.second) == pytest.approx(((4 + 10 / 3) / 20, 9 / 30))
    drawn = [9 / 20 - 9 / 30, 8 / 20 - 13 / 30, 5 / 20 - 5 / 30]
    ends = np.quantile(drawn, [0.25, 0.75])
    assert (precision.difference.low, precision.difference.high) == pytest.approx(tuple(ends))
    # One draw of three is below 0, and the estimate counts as one more.
    assert precision.tests["posterior"].p == 2 * 2 / 4
    assert (precision.difference.n, found.measures["recall"].difference.n) == (12, 15)
    assert (found.only_first, found.only_second, found.both) == (10, 20, 10)
    point = dict(zip(PATTERNS, (4, 2, 2, 6, 10, 9), strict=True))
    recall = compare_draws(true, PATTERNS, "A", "B", judged=judged, point=point).measures["recall"]
    assert (recall.first, recall.second) == pytest.approx((8 / 24, 10 / 24))


def test_draws_of_two_independent_posteriors():
    # The share of draws that put the better system first, by integration.
    rng = np.random.default_rng(1)
    n, draws = 10**6, 40_000
    first, second = StatedBy(False, frozenset("A")), StatedBy(False, frozenset("B"))
    sizes = {first: n, second: n}
    true = {first: n * rng.beta(31, 71, draws), second: n * rng.beta(21, 81, draws)}
    found = compare_draws(true, sizes, "A", "B", judged=sizes, corpus=False).measures["precision"]
    grid = np.linspace(0, 1, 20_001)
    worse = np.trapezoid(beta.pdf(grid, 31, 71) * beta.sf(grid, 21, 81), grid)
    assert found.tests["posterior"].p == pytest.approx(2 * worse, abs=0.01)


def test_draws_of_other_patterns_are_refused():
    sizes = dict.fromkeys(PATTERNS, 5)
    true = {pattern: np.array([1, 2]) for pattern in list(PATTERNS)[:3]}
    with pytest.raises(ValueError, match="same patterns"):
        compare_draws(true, sizes, "A", "B", judged=sizes)


@pytest.mark.parametrize("options", [{"draws": 0}, {"level": 0}, {"level": 1}])
def test_options_out_of_range(options):
    with pytest.raises(ValueError, match=r"draws|level"):
        compare(cells(HAND), "A", "B", Drawing(seed=1, **options))


def of_normal_draws(value, error, rng, *, draws=2_000):
    """Return a difference whose posterior is normal; the second system has 0."""
    drawn = value + error * rng.standard_normal(draws)
    return Difference.of_draws(
        value, 0.0, drawn, test="posterior", method="hand", level=0.95, n=draws
    )


def test_what_a_difference_resolves_by_hand():
    drawn = np.array([0.0, 0.2] * 50)  # their standard deviation is 0.1
    found = Difference.of_draws(0.4, 0.3, drawn, test="posterior", method="hand", level=0.95, n=100)
    # z of 97.5 % is 1.95996 and z of 80 % is 0.84162.
    assert found.resolves == pytest.approx((1.95996 + 0.84162) * 0.1, rel=1e-4)
    # Of three pairs the first in Holm's order is tested at 5 %/3: z of 1 - 0.05/6 is 2.39398.
    pairs = [Comparison(a, b, 1, 1, 1, {"f1": found}) for a, b in ("AB", "AC", "BC")]
    for pair in with_holm(pairs):
        corrected = pair.measures["f1"]
        assert corrected.resolves == pytest.approx((2.39398 + 0.84162) * 0.1, rel=1e-4)
        assert corrected.as_json()["resolves"] == corrected.resolves
    assert found._replace(withheld="too few labels").as_json()["resolves"] is None


def test_a_difference_as_large_as_a_run_resolves_is_marked_in_four_of_five_cases():
    rng = np.random.default_rng(5)
    error, replicates, marked = 0.05, 1_000, 0
    resolves = of_normal_draws(0.1, error, rng, draws=200_000).resolves
    for _ in range(replicates):
        found = of_normal_draws(resolves + error * rng.standard_normal(), error, rng)
        (pair,) = with_holm([Comparison("A", "B", 1, 1, 1, {"f1": found})])
        marked += clear(pair.measures["f1"])
    # Three standard errors of a share of 0.8 are 0.038; a posterior of few draws adds a little.
    assert marked / replicates == pytest.approx(0.8, abs=0.04)
