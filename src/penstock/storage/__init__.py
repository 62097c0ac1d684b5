"""All access to files: of this machine, or at URLs through fsspec."""

from penstock.storage.names import Names
from penstock.storage.storage import Storage

__all__ = ["Names", "Storage"]
