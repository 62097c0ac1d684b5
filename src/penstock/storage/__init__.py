"""The one door to files: on this machine, or anywhere fsspec knows the way to."""

from penstock.storage.names import Names
from penstock.storage.storage import Storage

__all__ = ["Names", "Storage"]
