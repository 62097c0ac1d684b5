"""ndd.io.file: files by name."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.io_file import *
else:
    __getattr__, __dir__ = attributes("io.file")
