"""ndd.experimental.readers: readers whose interface is not settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.dynamic.experimental.video import Video

__all__ = ["Video"]


def __getattr__(name: str) -> Any:
    if name == "Video":
        from penstock.dynamic.experimental.video import Video

        return Video
    raise AttributeError(f"module 'ndd.experimental.readers' has no attribute {name!r}; it has Video")
