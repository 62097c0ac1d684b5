"""ndd.noise: pictures made worse on purpose."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.noise import *
else:
    __getattr__, __dir__ = attributes("noise")
