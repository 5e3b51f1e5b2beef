"""Spark: the one place where it is started, the engine that it is, and what only it does.

==============  ====================================================================================
``session``     one way to start it, on a laptop or inside spark-submit
``master``      which masters there are, and whether one answers
``settings``    settings of memory that Spark would refuse
``errors``      what Spark's errors mean, in one line
``engine``      the engine of a cluster
``storage``     where its workers find what a run has: at the same paths, or in a storage
``fetching``    what a task finds of a storage
``hadoop``      the file systems that can be one
``index``       a text index, a task for each shard
``submission``  the same run through spark-submit
==============  ====================================================================================
"""
