"""ndd.experimental.decoders: older names of the decoders."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.experimental_decoders import *
else:
    __getattr__, __dir__ = attributes("experimental.decoders")
