"""Judges from outside: language models and other systems that say whether a fact is true.

Not here: asking one (:mod:`jobs.judging`), and deciding what a judge is worth, which
annotators and estimators do.

==============  ====================================================================================
``answers``     what one answer says: yes, no, a probability, or why it cannot be read
``judgements``  files of answers, in any of the common forms
``source``      which file and which of its judges a configuration or a command names
==============  ====================================================================================
"""
