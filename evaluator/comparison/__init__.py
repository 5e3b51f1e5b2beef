"""Comparison: systems on the same facts, and what may be said of their figures.

===============  ===================================================================================
``two_systems``  differences in P, R and F, with intervals
``gate``         whether a candidate is worse than a baseline, for continuous integration
``influence``    how figures move with single units, which tells their error
``pair_counts``  the facts of two systems as a table of counts
``withheld``     when a headline, an order or a difference is withheld
===============  ===================================================================================
"""
