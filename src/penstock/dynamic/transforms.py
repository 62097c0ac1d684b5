"""ndd.transforms: matrices of affine maps."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("transforms")
