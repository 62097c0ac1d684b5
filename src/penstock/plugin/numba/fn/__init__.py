"""Operators of pipelines that need Numba."""

from penstock.plugin.numba.fn import experimental
from penstock.plugin.numba.function import numba_function

__all__ = ["experimental", "numba_function"]
