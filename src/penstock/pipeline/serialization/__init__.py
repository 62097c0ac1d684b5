"""The definition of a pipeline written down: as text to be read again, and as a drawing."""
