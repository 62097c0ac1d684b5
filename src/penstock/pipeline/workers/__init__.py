"""Worker processes that call the sources of a pipeline: external_source(parallel=True)."""
