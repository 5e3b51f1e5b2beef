"""Public sets of human judgements, and of alignments of relations: one file and reader per set.

Judgements are read as :class:`evaluator.labels.label.Label`, alignments as
:class:`evaluator.relations.alignments.Alignment`. The sets themselves are not shipped
(``distval data``).

=======================  ===========================================================================
``factbench``            FactBench: true facts, and facts made wrong
``factbench_web``        facts of FactBench beside the verdicts of language models
``google_re``            facts read off Wikipedia, five raters each
``reverb_mturk``         ReVerb facts judged by crowd workers
``cesi_reverb``          ReVerb extractions aligned with Freebase by hand
``fewrel``               sentences found to state a property of Wikidata
``wikidata_properties``  other names of Wikidata's properties
=======================  ===========================================================================
"""
