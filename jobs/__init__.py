"""The work: Spark stages that carry facts through the evidence to the estimate, and the commands.

What lives here: run configurations, the stages and the pipeline that reads like the method
(:mod:`jobs.pipeline`), the plain Python path over small data that is their oracle
(:mod:`jobs.local`), the command line (:mod:`jobs.cli`) and cluster submission.

What never does: method. A stage carries records to functions of :mod:`evaluator` and
:mod:`indexes`; what those compute, they compute without Spark as well.
"""
