"""The explorer: the facts of a finished run as pages on this machine's loopback.

Every page is the answer to a GET request whose address holds the whole state: it can be kept, sent
and gone back to. Pages are made from the table of facts (:mod:`jobs.run.facts_table`) and, for one
fact or a typed sentence, from the knowledge base and the text index, by the functions that runs
judge by. Nothing is written but answers of raters, into their label folder.

:mod:`~jobs.explore.serving` starts the server, :mod:`~jobs.explore.guard` refuses other pages and
hosts, :mod:`~jobs.explore.app` has the addresses; the other modules make one kind of page each.
"""
