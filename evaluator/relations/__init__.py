"""Relations: what a phrase of a text and a relation of a database have in common.

===============  ===================================================================================
``normal_form``  what "has been appointed as" and "appointed" share
``matching``     which relation of the database says what a fact says
``expansion``    words that stand for a relation beyond its own
``patterns``     words that known facts are stated with
``alignments``   the threshold for matching, from known alignments
===============  ===================================================================================
"""
