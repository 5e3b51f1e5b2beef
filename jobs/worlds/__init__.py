"""Made worlds: what is true is drawn first, then all the files of a run are made from it.

The counts-only simulation asks whether an estimator is right if its assumptions hold. A world asks
the whole pipeline: names are found in sentences, relations are reduced to lemmas, a knowledge base
that lacks and errs is matched, and text that repeats what is true, and some of what is not, is
counted. Nothing is told to the pipeline but files; the truth is known all the same, to the fact.

================  ==================================================================================
``settings``      what can be chosen of a world
``vocabulary``    relations, patterns of sentences, syllables of names
``reality``       the entities, and what is true of them
``corpus``        sentences, what each states, and the candidates that they make
``systems``       extractors of chosen precision and recall
``evidence``      the knowledge base and the background text
``making``        the files of a run, and the truth about them
``raters``        people who answer the questions of a label sheet, with error
``sample``        the embedded sample: one small world, worded by hand
``sample_facts``  its entities, relations and facts
================  ==================================================================================
"""
