"""ndd.segmentation: masks of objects."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.segmentation import *
else:
    __getattr__, __dir__ = attributes("segmentation")
