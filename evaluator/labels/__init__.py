"""Labels: which facts people are to judge, what they answer, and how far they agree.

==========================  ========================================================================
``label``                   a label, and tables of them
``design``                  strata of a run's facts and the classes to draw from
``design_file``             ``design.json`` of a label folder, in and out
``plan``                    how many facts of each class, and what intervals to expect
``questions``               what is asked and shown of a fact
``sheets``                  sheets for raters, handed out and read back
``sheet_formats``           the formats of sheets, as rows of named cells
``label_studio``            tasks for Label Studio, and its exports
``argilla``                 records for Argilla, and back
``doccano``                 documents for doccano, and its exports
``potato``                  items for Potato, and what it stores and exports
``accounts``                who the accounts of a labelling tool are
``answers``                 a label folder: what was drawn, and all answers so far
``rating_files``            judgements from files of any form
``comparison``              two systems compared by human labels
``audit``                   whether probabilities made elsewhere hold for the facts of a run
``raters``                  what several raters' labels say together
``dawid_skene``             how good each rater is, from the labels alone
``agreement``               how far raters agree
``agreement_coefficients``  agreement beyond chance
``agreement_table``         Table 1 of Bronzi et al. 2012
==========================  ========================================================================
"""
