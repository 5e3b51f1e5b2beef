"""The work: stages that carry facts through the evidence to the estimate, and the commands.

What lives here: run configurations, the stages and the pipeline that reads like the method
(:mod:`jobs.pipeline`), its engines on one machine and on Spark (:mod:`jobs.engines`), the command
line (:mod:`jobs.cli`) and cluster submission.

What never does: method. A stage carries records to functions of :mod:`evaluator` and
:mod:`indexes`; what those compute, they compute without an engine as well.
"""
