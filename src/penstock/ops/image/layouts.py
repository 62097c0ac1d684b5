"""Layouts image operators take, and where their axes are."""

from __future__ import annotations

IMAGE = ("HWC", "CHW", "FHWC", "FCHW")
VOLUME = ("DHWC", "CDHW", "FDHWC", "FCDHW")


def axis_of(layout: str, name: str) -> int | None:
    """Position of an axis, or None where the layout has none of that name."""
    position = layout.find(name)
    return None if position < 0 else position
