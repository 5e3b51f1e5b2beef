"""The stages of a run: SQL that every engine runs, and functions over batches of records.

In the order of the method: :mod:`~jobs.stages.read`, :mod:`~jobs.stages.documents`,
:mod:`~jobs.stages.annotate`, :mod:`~jobs.stages.link`, :mod:`~jobs.stages.superset`,
:mod:`~jobs.stages.match`, :mod:`~jobs.stages.score`, :mod:`~jobs.stages.tally`. A stage holds no
method of its own: it carries records to functions of :mod:`evaluator` and :mod:`indexes`. Nothing
may depend on how rows are shared out or ordered.

The tables of a stage are Parquet; the schema of each stands beside what makes it.
"""
