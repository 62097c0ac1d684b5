"""What programs find as `nvidia.dali._utils.hacks`."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["not_iterable"]

C = TypeVar("C", bound=type)


def not_iterable(cls: C) -> C:
    """A class whose objects cannot be iterated over, though they can be indexed."""
    cls.__iter__ = None  # type: ignore[attr-defined]  # which Python takes for a refusal
    return cls
