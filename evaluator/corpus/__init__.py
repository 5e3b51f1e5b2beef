"""The corpus: its sentences, and the way back from an extraction to its sentence.

=============  =====================================================================================
``sentences``  sentences, bare or annotated, and the key that finds one again
``splitting``  running text to sentences
``language``   whether a text is English
``alignment``  which sentence of a list an extraction is about
=============  =====================================================================================
"""
