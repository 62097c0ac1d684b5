"""ndd.segmentation: masks of objects."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("segmentation")
