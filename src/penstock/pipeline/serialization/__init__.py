"""The definition of a pipeline as text, and back."""
