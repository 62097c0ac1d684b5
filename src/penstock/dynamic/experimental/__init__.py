"""ndd.experimental: operators whose interface is not settled, and older names of some that are."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes
from penstock.dynamic.experimental import decoders, readers

__all__ = ["decoders", "readers"]

if TYPE_CHECKING:
    from penstock.dynamic._signatures.experimental import *
else:
    __getattr__, __dir__ = attributes("experimental", also=__all__)
