"""Conditional execution: `if`, `and`, `or` and `not` on nodes of a pipeline decide for each sample."""
