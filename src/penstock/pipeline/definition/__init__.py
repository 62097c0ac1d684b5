"""The definition of a pipeline: the calls, nodes and outputs that its function declares."""
