"""What several commands check of their options."""

from evaluator.errors import ConfigurationError

_MOST_DRAWS = 1_000_000


def check_resampling(*, level: float, draws: int, seed: int) -> None:
    """Refuse a level, a number of draws or a seed that is out of range.

    Raises
    ------
    ConfigurationError
        Naming the option.
    """
    if not 0 < level < 1:
        raise ConfigurationError(f"--level {level:g}: expected a number between 0 and 1")
    if not 1 <= draws <= _MOST_DRAWS:
        raise ConfigurationError(f"--draws {draws}: expected 1 to {_MOST_DRAWS:,}")
    if seed < 0:
        raise ConfigurationError(f"--seed {seed}: expected 0 or more")
