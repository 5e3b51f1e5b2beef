"""PPI with the weight of the annotator's score chosen by how well it follows the labels."""

from evaluator.estimators.ppi import ASSUMPTIONS as PPI_ASSUMPTIONS
from evaluator.estimators.ppi import rectified
from evaluator.estimators.strata import Asked, TrueFacts

NAME = "ppi++"
DESCRIPTION = "as ppi, with the annotator's score weighted by λ so that a useless one costs nothing"
ASSUMPTIONS = PPI_ASSUMPTIONS
FORMULA = (
    "share = Σ_h W_h (λ mean_N f + mean_n(y - λf)); "
    "λ = Σ_h W_h² Cov(y, f)/n_h / Σ_h W_h² Var(f) (1/n_h + 1/N_h), within [0, 1]; normal"
)
SOURCE = "Angelopoulos, Duchi and Zrnic 2023 (arXiv 2311.01453), section 6"


def ppi_plus_plus(asked: Asked) -> TrueFacts:
    """Return the number of true facts; see :func:`evaluator.estimators.ppi.ppi`."""
    return rectified(asked, tuned=True)


ESTIMATOR = ppi_plus_plus
