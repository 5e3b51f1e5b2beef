"""The stages of a run: each a function from DataFrames to a DataFrame, with its schema beside it.

In the order of the method: :mod:`~jobs.stages.read`, :mod:`~jobs.stages.annotate`,
:mod:`~jobs.stages.superset`, :mod:`~jobs.stages.match`, :mod:`~jobs.stages.score`,
:mod:`~jobs.stages.tally`. A stage holds no method of its own: it carries records to functions of
:mod:`evaluator` and :mod:`indexes`. Nothing may depend on how rows are partitioned or ordered.
"""
