"""ndd.noise: pictures made worse on purpose."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("noise")
