"""ndd.io.file: files by name."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("io.file")
