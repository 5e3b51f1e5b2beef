"""Public sets of human judgements, read as :class:`evaluator.labels.Label`.

One file per set, each with a NAME, a DESCRIPTION, a SOURCE and a function ``read_labels``; write
what it returns with :func:`evaluator.labels.write_labels`. The sets themselves are not shipped.
"""
