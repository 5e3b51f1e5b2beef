"""WordNet: its words and senses, and how near two words are. The database is shipped (``data/``).

=======================  ===========================================================================
``lexicon``              nouns and verbs, their forms, senses and hypernyms
``compiling``            from WordNet's own files to the one that is shipped
``information_content``  how much each sense says
``similarity``           Jiang-Conrath similarity of relation words
``similarity_table``     least distances between many words at once
``open_multilingual``    words of another language for the shipped senses
``equal_words``          relations compared without a WordNet
``chosen``               which of these a run knows the words of relations by
=======================  ===========================================================================
"""
