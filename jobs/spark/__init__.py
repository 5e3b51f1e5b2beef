"""Spark: the one place where it is started, the engine that it is, and what only it does.

==============  ====================================================================================
``session``     one way to start it, on a laptop or inside spark-submit
``master``      which masters there are, and whether one answers
``settings``    settings of memory that Spark would refuse
``errors``      what Spark's errors mean, in one line
``engine``      the engine of a cluster
``index``       a text index, a task for each shard
``submission``  the same run through spark-submit
==============  ====================================================================================
"""
