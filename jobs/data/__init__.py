"""Public data: what there is, whether a copy is right, and how to get one.

``catalogue.toml`` is data: every file with its place under the data folder, its size and sum, and
the address of the same bytes at a fixed commit. ``catalogue`` reads it, ``checking`` holds files
against it, ``fetching`` brings what is missing, ``downloading`` is the one place of the project
that downloads. Nothing here reads what the files say: that is for readers.
"""
