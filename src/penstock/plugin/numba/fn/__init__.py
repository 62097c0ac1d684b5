"""Operators of pipelines that need Numba."""

from penstock.plugin.numba.function import numba_function

__all__ = ["numba_function"]
