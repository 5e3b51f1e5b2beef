"""Made worlds: what is true is drawn first, then all the files of a run are made from it.

The counts-only simulation asks whether an estimator is right if its assumptions hold. A world asks
the whole pipeline: names are found in sentences, relations are reduced to lemmas, a knowledge base
that lacks and errs is matched, and text that repeats what is true, and some of what is not, is
counted. The pipeline gets files alone; the truth of every fact is known beside it.

Worlds are drawn whole, or made from facts that are written down (the embedded sample). Both kinds
consist of the same statements and become the same files. What a sentence, a system or a page of
text draws is each kind's own: a changed draw would change every file that was ever made.

==================  ================================================================================
``statements``      entities, relations, statements; tables that list them
``files``           a run's files: corpus, extractions, knowledge base, background text
``settings``        what can be chosen of a world
``vocabulary``      relations, patterns of sentences, syllables of names
``reality``         the entities, and what is true of them
``corpus``          sentences, what each states, and the candidates that they make
``systems``         extractors of chosen precision and recall
``evidence``        the knowledge base and the background text
``making``          a drawn world, and the truth about it
``raters``          people who answer the questions of a label sheet, with error
``sample``          the embedded sample: its corpus, careless systems, text and labels
``sample_wording``  how it puts facts into words
``sample_facts``    what it knows: entities, relations, facts, turns of phrase
==================  ================================================================================
"""
