"""``python -m distval``: the command ``distval``."""

from jobs.cli import main

main()
