"""Facts: what a system states and what a corpus could state, before anybody judges it.

=============  =====================================================================================
``linking``    from an extraction's strings to a fact about entities
``given``      facts that are given without sentences
``phrases``    names and noun phrases that no database knows
``capitals``   what a capital letter says of a word
``superset``   the candidate superset G'
``sampling``   samples that do not depend on how facts are spread
``baselines``  extractors of a few lines
=============  =====================================================================================
"""
