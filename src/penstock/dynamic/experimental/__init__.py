"""ndd.experimental: operators whose interface is not settled, and older names of some that are."""

from penstock.dynamic.experimental import decoders
from penstock.dynamic.namespace import attributes

__all__ = ["decoders"]

__getattr__, _operators = attributes("experimental", also=__all__)


def __dir__() -> list[str]:
    return _operators()
