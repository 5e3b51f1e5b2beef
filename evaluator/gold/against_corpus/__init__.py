"""Gold data against distant validation: the same systems on the same sentences, by both.

====================  ==============================================================================
``agreement``         figures and places by both, and how far both agree
``rank_agreement``    how far two ways to measure agree on an order
``sentence_regions``  distant validation as sums over sentences
====================  ==============================================================================
"""
