"""Figures in tables of the command line."""

from jobs.cli.output import coefficient, percent


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert [percent(share) for share in (-0.0004, -0.0, 0.0004, -0.0006, None)] == [
        "0.0", "0.0", "0.0", "-0.1", "–",
    ]  # fmt: skip
    assert [coefficient(value) for value in (-0.004, -0.006, -1.0)] == ["0.00", "-0.01", "-1.00"]
