"""A run: from sentences and extractions to true precision and recall.

=====================  =============================================================================
``pipeline``           the main job, in the order of the method
``engines``            which engine a run takes
``stages``             a module for each stage
``judged_table``       the judged facts of a run, read again
``facts_table``        the same with names, sentences, extractions and labels, for people
``facts_condition``    a condition on them that a person writes
``facts_files``        them as CSV and Parquet
``stating``            which sentence states a fact the closest
``label_folder``       what was drawn and what people said, as a run takes it
``audit_file``         whether labels contradict the annotator's probabilities
``result``             every figure with interval, method and n
``report``             which verdicts the report shows, with their evidence
``verification``       a result recomputed from its inputs
=====================  =============================================================================
"""
