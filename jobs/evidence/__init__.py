"""The evidence of a run: where it comes from, and what it says of single facts.

=====================  =============================================================================
``sources``            the knowledge base and the text index, built where they do not stand
``widening``           the further words of relations
``annotator``          the annotator of a run, made from its settings
``entity_names``       what the entities of a run are called
``given_facts``        what stands for the parts of given facts in the text
``fact_files``         files of facts to count
``fact_evidence``      the evidence for a few facts at a time
``stated``             how the sentences and systems of a finished run state facts
``labelled_evidence``  what the annotators know of facts that people labelled
``explanation``        all the evidence for one fact
=====================  =============================================================================
"""
