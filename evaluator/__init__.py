"""The science of distval: how good is an open relation extractor, and how sure are we.

What lives here: facts and extractions (:mod:`~evaluator.model`), the one definition of a token
(:mod:`~evaluator.text`), relation normal forms and Jiang-Conrath similarity over the shipped
WordNet (:mod:`~evaluator.relation`, :mod:`~evaluator.similarity`), the candidate superset, the
arithmetic of hit counts and PMI (:mod:`~evaluator.counting`), the regions a-d with their estimators
and intervals, which facts to label and what the labels tell, comparisons of systems, agreement and
tuning, worlds of known truth, the readers of extractor output (:mod:`~evaluator.readers`), the gold
benchmarks of the field (:mod:`~evaluator.gold`), and the rendering of a report.

What never does: Spark, a JVM, the network. Everything here is pure Python and numpy, runs on a
laptop without Java, and is a function of its arguments. What programs import is :mod:`distval`.

The method is that of Bronzi et al., "Automatic Evaluation of Relation Extraction Systems on
Large-scale" (AKBC-WEKEX 2012); modules cite its sections.
"""
