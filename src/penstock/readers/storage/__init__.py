"""The one door through which readers reach files: on this machine, or anywhere fsspec knows the way to."""

from penstock.readers.storage.names import Names
from penstock.readers.storage.storage import Storage

__all__ = ["Names", "Storage"]
