"""The science of distval: how good is an open relation extractor, and how sure are we.

The rooms, in the order of the method:

==============  ====================================================================================
``wordnet``     WordNet as shipped, and Jiang-Conrath similarity over it
``relations``   the normal form of a relation, its further words, how two relations match
``readers``     the output of extractors, one file per format
``corpus``      the sentences of a run: read, split, found again
``facts``       linking, facts given, the candidate superset, samples, baselines
``counting``    hit counts in text and PMI, defined and in bulk
``annotators``  from the evidence about a fact to a score and a verdict
``tuning``      the threshold, chosen by people's labels, with its curves
``estimators``  the regions a-d, precision, recall and F, with intervals
``labels``      which facts to label, sheets and answers, agreement of raters
``judges``      judges from outside: what their answers say
``comparison``  two systems side by side, and what is withheld of figures
``results``     the result of a run as a value, and its signature
``gold``        the gold benchmarks of the field
``datasets``    public sets of human judgements
``report``      HTML pages, their figures and templates
``simulation``  made counts of known truth: how often intervals hold it
==============  ====================================================================================

Beside the rooms stands what all of them use: facts and extractions (:mod:`~evaluator.model`), the
one definition of a token (:mod:`~evaluator.text`), intervals (:mod:`~evaluator.intervals`), tables
of people (:mod:`~evaluator.tables`), errors, and the reading and writing of files.
``pyproject.toml`` says which room may import which; :mod:`evaluator` itself imports nothing.

Not here: Spark, a JVM, the network. Everything here is Python over numpy and the libraries
of the field (scipy, scikit-learn, NLTK), which are imported where they are needed; it runs on a
laptop without Java, and is a function of its arguments.

The method is that of Bronzi et al., "Automatic Evaluation of Relation Extraction Systems on
Large-scale" (AKBC-WEKEX 2012); modules cite its sections.
"""
