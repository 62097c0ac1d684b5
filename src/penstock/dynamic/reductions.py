"""ndd.reductions: sums, means and extremes along axes."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes

if TYPE_CHECKING:
    from penstock.dynamic._signatures.reductions import *
else:
    __getattr__, __dir__ = attributes("reductions")
