"""Bars that compare numbers: of characters for a terminal, and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from penstock.viz import svg
from penstock.viz.palette import LIGHT

_BLOCKS = " ▏▎▍▌▋▊▉█"
_TEXT_WIDTH = 40
_ROW, _THICK, _LONGEST, _MARGIN = 50.0, 16.0, 420.0, 16.0


class Bar(NamedTuple):
    """A number and its name; `colour` is a name of the palette."""

    name: str
    value: float
    colour: str = "blue"


def text_bars(bars: Sequence[Bar], unit: str) -> str:
    """Bars of characters, an eighth of one exact."""
    most = max((bar.value for bar in bars), default=0.0) or 1.0
    width = max((len(bar.name) for bar in bars), default=0)
    lines = []
    for bar in bars:
        whole, eighth = divmod(round(8 * _TEXT_WIDTH * bar.value / most), 8)
        drawn = "█" * whole + (_BLOCKS[eighth] if eighth else "")
        lines.append(f"  {bar.name:{width}}  {drawn} {bar.value:,.0f} {unit}")
    return "\n".join(lines)


def chart(bars: Sequence[Bar], unit: str, title: str) -> str:
    """An SVG of horizontal bars, each below its name and before its number, so that it fits on a phone."""
    most = max((bar.value for bar in bars), default=0.0) or 1.0
    left = _MARGIN
    parts = [svg.text(_MARGIN, _MARGIN + 12, title, "title")]
    for number, bar in enumerate(bars):
        top = _MARGIN + 56 + number * _ROW
        length = max(1.0, _LONGEST * bar.value / most)
        parts.append(svg.text(left, top - 7, bar.name))
        parts.append(svg.box(left, top, length, _THICK, _CLASSES[bar.colour], 4))
        parts.append(svg.text(left + length + 8, top + 12.5, f"{bar.value:,.0f} {unit}", "name"))
    width = left + _LONGEST + svg.width_of(f"{most:,.0f} {unit}") + _MARGIN
    width = max(width, svg.width_of(title, 16) + 2 * _MARGIN, *(svg.width_of(bar.name) + 2 * _MARGIN for bar in bars))
    return svg.picture(parts, width, _MARGIN + 40 + len(bars) * _ROW + _MARGIN / 2, title)


# The classes of drawings that have these colours.
_CLASSES = {"blue": "native", "green": "stacked", "violet": "batchwise", "teal": "storage", "grey": "open"}
assert _CLASSES.keys() <= {*LIGHT._fields}
