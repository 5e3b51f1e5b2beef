"""The work: stages that carry facts through the evidence to the estimate, and the commands.

============  ======================================================================================
``data``      public data: what there is, and how to get it
``spark``     Spark: session, settings, errors, and what it builds
``evidence``  the evidence of a run, and what it says of single facts
``run``       a run: the pipeline that reads like the method, result, verification
``labels``    facts of a finished run, drawn for people to judge
``judging``   facts of a finished run for judges from outside, and models that are asked
``worlds``    made worlds, whose truth is known
``analysis``  what is asked of finished runs
``explore``   a finished run as pages on this machine, to look at and to label in
``cli``       the command line
============  ======================================================================================

Beside the rooms stand the configuration of a run, the bounds of its numbers, and the run directory.

Not here: method. A stage carries records to functions of :mod:`evaluator` and
:mod:`indexes`; what those compute, they compute without this package as well.
"""
