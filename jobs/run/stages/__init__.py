"""The stages of a run: SQL that every engine runs, and functions over batches of records.

In the order of the method: :mod:`~jobs.run.stages.read`, :mod:`~jobs.run.stages.documents`,
:mod:`~jobs.run.stages.annotate`, :mod:`~jobs.run.stages.link`, :mod:`~jobs.run.stages.superset`,
:mod:`~jobs.run.stages.match`, :mod:`~jobs.run.stages.score`, :mod:`~jobs.run.stages.tally`. A stage
holds no method of its own: it carries records to functions of :mod:`evaluator` and :mod:`indexes`.
Nothing may depend on how rows are shared out or ordered.

The tables of a stage are Parquet; the schema of each stands beside what makes it.
"""
