"""PPI with the weight of the annotator's score chosen by how well it follows the labels."""

from collections.abc import Sequence

import numpy as np

from evaluator.estimators.ppi import ASSUMPTIONS as PPI_ASSUMPTIONS
from evaluator.estimators.ppi import rectified
from evaluator.estimators.strata import Stratum, TrueFacts

NAME = "ppi++"
DESCRIPTION = "as ppi, with the annotator's score weighted by λ so that a useless one costs nothing"
ASSUMPTIONS = PPI_ASSUMPTIONS
FORMULA = (
    "share = Σ_h W_h (λ mean_N f + mean_n(y - λf)); "
    "λ = Σ_h W_h² Cov(y, f)/n_h / Σ_h W_h² Var(f) (1/n_h + 1/N_h), within [0, 1]; normal"
)
SOURCE = "Angelopoulos, Duchi and Zrnic 2023 (arXiv 2311.01453), section 6"


def ppi_plus_plus(
    strata: Sequence[Stratum],
    *,
    everything: Sequence[Stratum] = (),  # noqa: ARG001
    draws: int,
    rng: np.random.Generator,
    design_effect: float = 1.0,
) -> TrueFacts:
    """Return the number of true facts in a domain; see :func:`evaluator.estimators.ppi.ppi`."""
    return rectified(strata, tuned=True, draws=draws, rng=rng, design_effect=design_effect)
