"""The batch pipeline: PDF files to Parquet parts to a search index, and the `glyphdex` command.

In: names of files and folders, a configuration. Out: a store. The only package that knows both `extractor`
and `indexing`. Importing it costs nothing: Apache Beam is loaded by the ingest command alone.
"""
