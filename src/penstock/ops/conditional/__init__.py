"""What `if`, `and`, `or` and `not` become in a pipeline: batches that are split by a condition and merged again."""
