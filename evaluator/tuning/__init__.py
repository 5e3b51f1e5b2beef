"""Tuning: the threshold of an annotator, chosen by people's labels.

===================  ===============================================================================
``criteria``         what makes a threshold a good one
``thresholds``       all thresholds of some scores, and the best by a criterion
``choice``           the choice, with an interval for the threshold itself
``held_out``         verdicts on facts held out of the choice
``groups``           thresholds for single groups of facts
``verdict_figures``  how verdicts and scores agree with labels
``slices``           the same for parts of the facts
``curves``           curves of scores beside labels
``tuning``           all of it for one annotator
===================  ===============================================================================
"""
