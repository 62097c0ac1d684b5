"""ndd.experimental.readers: readers whose interface is not settled. Each is imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.dynamic.readers import of_ndd

if TYPE_CHECKING:
    from penstock.dynamic._signatures.experimental_readers import Fits, Video


__all__ = ["Fits", "Video"]


def __getattr__(name: str) -> Any:
    if name == "Video":
        from penstock.dynamic.experimental.video import Video

        return Video
    if name == "Fits":
        return globals().setdefault(name, of_ndd(name, __name__))
    raise AttributeError(f"module 'ndd.experimental.readers' has no attribute {name!r}; it has Fits and Video")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
