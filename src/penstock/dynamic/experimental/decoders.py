"""ndd.experimental.decoders: older names of the decoders."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("experimental.decoders")
