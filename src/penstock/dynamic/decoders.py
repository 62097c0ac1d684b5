"""ndd.decoders."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.decoders import *
else:
    __getattr__, __dir__ = attributes("decoders")
