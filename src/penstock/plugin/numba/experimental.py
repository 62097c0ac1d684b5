"""NumbaFunction under the name that programs import it by."""

from penstock.plugin.numba.function import NumbaFunction

__all__ = ["NumbaFunction"]
