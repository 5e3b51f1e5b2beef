"""Public sets of human judgements, read as :class:`evaluator.labels.Label`.

One file per set, each with a function that reads it; labels are written with
:func:`evaluator.labels.write_labels`. The sets themselves are not shipped (``distval data``).
"""
