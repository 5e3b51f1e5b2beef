"""Analysis: what is asked of finished runs, and of many runs.

======================  ============================================================================
``comparison``          what a comparison of systems needs of a run
``gold_comparison``     systems by gold data and by distant validation
``gold_sentences``      what a run holds of the sentences of gold data
``sensitivity``         a run evaluated again at other settings
``tuning``              an annotator and its threshold, chosen by labels
``simulation``          worlds of known truth through the whole pipeline
``simulated_coverage``  coverage over many replicates of a world in counts
======================  ============================================================================
"""
