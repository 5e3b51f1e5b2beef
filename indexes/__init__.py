"""The evidence: what the world says about a fact.

===============  ===================================================================================
``collections``  text collections, one file per format: documents to index
``text``         the Lucene text index: built, checked, opened, counted in, shown
``dumps``        dumps of knowledge bases, one file per format: statements
``kb``           the knowledge base made of statements, and its entity dictionary
===============  ===================================================================================

Beside the rooms stands what they share: engines for tables, processes, files that are compressed or
damaged, sums, locks, paths, identifiers, and :mod:`indexes.jvm`. The JVM lives in this package and
nowhere else in our own processes: that module starts it inside one context manager, on demand,
never when a module is imported and never before a fork. :mod:`indexes` itself imports nothing.

Not here: Spark (see :mod:`jobs`), estimates and verdicts (see :mod:`evaluator`).
"""
