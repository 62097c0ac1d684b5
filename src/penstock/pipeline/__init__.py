"""The declarative face: pipelines that are defined once and run ahead of the program."""
