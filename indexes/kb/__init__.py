"""The knowledge base D, and the entities that sentences mention.

======================  ============================================================================
``knowledge_base``      relations between entities, and the names of both
``build``               dumps to statements, statements to tables
``assembly``            from the statements of dumps to tables, in SQL
``entities``            which entities a sentence mentions
``dictionary``          an automaton over names, and columns beside it
``dictionary_names``    which names are kept, and how a text may write them
``dictionary_context``  which candidate a mention means, by the others
``annotation``          a sentence gets its mentions and its relation words
======================  ============================================================================
"""
