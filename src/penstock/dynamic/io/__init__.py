"""ndd.io: reading by name."""

from penstock.dynamic.io import file

__all__ = ["file"]
