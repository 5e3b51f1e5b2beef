"""Labels of a finished run: facts drawn from it for people to judge.

===============  ===================================================================================
``draw``         the design of a draw, and a sheet for every rater
``audit``        a draw that tests the annotator's probabilities, and the test
``desk``         one fact after another, each answer on disk before the next
``fact_places``  what entities are called, and a sentence that holds them
``about``        how systems wrote a fact, and what its entities are
===============  ===================================================================================

A run takes the answers back by :mod:`jobs.run.label_folder`.
"""
