"""Samples of facts that do not depend on how the facts are spread over machines.

Every fact has a pseudo-random key that is a function of the seed and of the fact alone; a sample
of k facts is the k smallest keys (bottom-k sampling: a simple random sample without replacement).
Hence it is the same for every order, partitioning and retry; a smaller sample is the beginning of
a larger one; and two systems that share facts share their judgements, so that comparisons are
paired.
"""

from collections.abc import Iterable
from hashlib import blake2b
from heapq import nsmallest

from evaluator.model import Fact


def sample_key(seed: int, fact: Fact) -> int:
    """Return the sampling key of `fact` under `seed`: an integer in [0, 2⁶³).

    The first 63 bits of an 8-byte BLAKE2b digest, so that keys fit a signed 64-bit column. Field
    lengths are hashed before the fields: ⟨"ab", "c", …⟩ and ⟨"a", "bc", …⟩ are different inputs.
    """
    e1, r, e2, negated = fact
    encoded = f"{seed} {len(e1)} {len(r)} {len(e2)} {negated:d} {e1}{r}{e2}"
    # Lone surrogates come out of JSON escapes such as "\ud800"; they must not stop a run.
    digest = blake2b(encoded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def sample(facts: Iterable[Fact], *, seed: int, size: int) -> list[Fact]:
    """Return the `size` facts with the smallest keys, in the order of their keys.

    Parameters
    ----------
    facts
        In any order; a fact given twice counts once.
    seed
        Any integer. Samples under different seeds are independent.
    size
        Number of facts wanted; all are returned where there are fewer.

    Raises
    ------
    ValueError
        If `size` is negative.
    """
    if size < 0:
        raise ValueError(f"sample size must not be negative: {size}")
    return [fact for _, fact in nsmallest(size, {(sample_key(seed, f), f) for f in facts})]
