"""Table 1 of Bronzi et al. 2012, and ratings of 558 facts that give it."""

TABLE_1 = {
    ("H0", "H1"): 80.8,
    ("H1", "H2"): 80.3,
    ("H0", "H2"): 78.0,
    ("A", "H0"): 71.9,
    ("A", "H1"): 68.8,
    ("A", "H2"): 72.8,
    ("A", "H12"): 75.9,
}
"""Agreement in percent. H12 is what H1 and H2 agree on; A is compared with it on these facts."""

# Who says the same as H0, in blocks of facts with sizes solved by hand so that all seven agreements
# come out as printed: H1 differs from H0 on 107 facts and H2 on 123, both of them on the same 60.
# Agreement is the same whichever way H0 judges; here every third fact is true.
_BLOCKS = [
    # facts, H1, H2, A
    (295, True, True, True),
    (93, True, True, False),
    (15, False, False, True),
    (45, False, False, False),
    (47, False, True, True),
    (44, True, False, True),
    (19, True, False, False),
]


def paper_ratings() -> dict[str, dict[int, bool]]:
    """Return the judgements of H0, H1, H2 and A on 558 facts."""
    as_h0 = [says for facts, *says in _BLOCKS for _ in range(facts)]
    ratings: dict[str, dict[int, bool]] = {
        "H0": {fact: fact % 3 == 0 for fact in range(len(as_h0))}
    }
    for place, rater in enumerate(("H1", "H2", "A")):
        ratings[rater] = {
            fact: ratings["H0"][fact] == same[place] for fact, same in enumerate(as_h0)
        }
    return ratings
