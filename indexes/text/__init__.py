"""The text index: Lucene over a large collection.

================  ==================================================================================
``index``         an index, open, and what is asked of it
``shard``         one shard of it, open
``postings``      postings out of Lucene in bulk
``direct``        one fact at a time by Lucene's own queries
``snippets``      where in a document a fact stands, for people to read
``patterns``      words that known facts are stated with, mined
``manifest``      what an index holds, in one file
``plan``          what an index is built from
``build``         collections become shards, in parallel
``shard_crew``    who writes the shards of a build
``shard_writer``  one shard, written so that a crash costs little
``check``         whether an index holds what its manifest says
================  ==================================================================================
"""
