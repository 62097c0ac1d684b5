"""Operators on masks of segmented images."""

from penstock.ops.classes import classes_of

__getattr__, __dir__ = classes_of(__name__)
