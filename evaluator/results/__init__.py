"""The result of a run as a value.

=============  =====================================================================================
``result``     its parts, its schema, its file
``signature``  all that changes a figure, as fields and as a line
=============  =====================================================================================
"""
