"""ndd.reductions: sums, means and extremes along axes."""

from penstock.dynamic.namespace import attributes

__getattr__, __dir__ = attributes("reductions")
