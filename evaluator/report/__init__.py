"""Reports: HTML pages, one file each, that load nothing. Their words are in ``templates/``.

===============  ===================================================================================
``page``         the report of a run
``annotator``    how the annotator judges, and its parameters
``labels``       estimates from human labels, and what is behind them
``chart``        a chart: its table, its drawing as SVG and PDF, its colours
``charts``       the charts that there are
``scores``       the distribution of scores
``parts``        what moved a single score most
``figures``      numbers and estimates as text
``sensitivity``  the page that shows how figures move with settings
``tuning``       the page that shows what a threshold was chosen from
``gold``         the page of gold data against distant validation
===============  ===================================================================================
"""
