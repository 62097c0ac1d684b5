"""Data on torch's accelerators: where it lies, how it gets there and back, and in which order work on it is done."""
