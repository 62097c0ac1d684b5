"""ndd.experimental.readers: readers whose interface is not settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.dynamic.readers import Reader
from penstock.readers.fits import Fits as _Fits

if TYPE_CHECKING:
    from penstock.dynamic.experimental.video import Video

__all__ = ["Fits", "Video"]


class Fits(_Fits, Reader):
    pass


def __getattr__(name: str) -> Any:
    if name == "Video":
        from penstock.dynamic.experimental.video import Video

        return Video
    raise AttributeError(f"module 'ndd.experimental.readers' has no attribute {name!r}; it has Fits and Video")
