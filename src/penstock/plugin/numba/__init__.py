"""Functions that Numba compiles, as operators of pipelines.

from penstock.plugin.numba.fn.experimental import numba_function
"""

from penstock.plugin.numba import experimental, fn
from penstock.plugin.numba.function import NumbaFunction

__all__ = ["NumbaFunction", "experimental", "fn"]
