"""ndd.random."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("random")
