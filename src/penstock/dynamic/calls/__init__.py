"""Calls of operators on Tensors and Batches, and the names they are found by."""
