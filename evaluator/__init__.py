"""The science of distval: how good is an open relation extractor, and how sure are we.

What lives here: facts and extractions (:mod:`~evaluator.model`), the one definition of a token
(:mod:`~evaluator.text`), relation normal forms and Jiang-Conrath similarity over the shipped
WordNet (:mod:`~evaluator.relation`, :mod:`~evaluator.similarity`), the candidate superset, the
arithmetic of hit counts and PMI (:mod:`~evaluator.counting`), the regions a-d with their estimators
and intervals, agreement and tuning against human labels, the readers of extractor output, and the
rendering of a report.

What never does: Spark, a JVM, the network. Everything here is pure Python and numpy, runs on a
laptop without Java, and is a function of its arguments.

The method is that of Bronzi et al., "Automatic Evaluation of Relation Extraction Systems on
Large-scale" (AKBC-WEKEX 2012); modules cite its sections.
"""
