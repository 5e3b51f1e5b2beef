"""Counting: how often a text collection states a fact.

===============  ===================================================================================
``definition``   the counts, defined in a dozen lines, and their PMIs
``elements``     from the parts of a fact to what is looked for in text
``topics``       what a document is about
``fact_table``   facts as rows of numbers
``occurrences``  where elements stand in documents
``windows``      which occurrences stand near which
``anchoring``    ANCHORED counts of very many facts
``bulk``         all counts of very many facts
===============  ===================================================================================
"""
