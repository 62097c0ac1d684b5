"""ndd.math."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("math")
