"""The evidence: what the world says about a fact.

What lives here: the Lucene text index over a large collection (build, open, count, show), the
readers of dumps (:mod:`indexes.dumps`), the knowledge base that is assembled from their statements
(:mod:`indexes.knowledge_base`), and the entity dictionary that turns names in text into entities.

The JVM lives in this package and nowhere else in our own processes: :mod:`indexes.jvm` starts it
inside one context manager, on demand, never when a module is imported and never before a fork.

What never does: Spark (see :mod:`jobs`), estimates and verdicts (see :mod:`evaluator`).
"""
