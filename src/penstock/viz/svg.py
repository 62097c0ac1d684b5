"""A few elements of SVG as text."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax import saxutils

# Characters that XML does not have, but a line of Python may.
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32)], " ")

# The stripes of the ways tell native passes, NumPy and Python apart also for those who see few colours: by lightness.
STYLE = """
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1c2430; }
.paper { fill: #fbfcfe; } .title { font-size: 16px; font-weight: 600; }
.small { font-size: 11px; fill: #5d6b7e; } .name { font-weight: 600; }
.stage { fill: #eef2f8; stroke: #c3cddb; } .call { fill: #ffffff; stroke: #b4c0d0; }
.end { fill: #e3e9f2; stroke: #93a3b8; } .edge { fill: none; stroke: #7b8ca3; stroke-width: 1.4; }
.head { fill: #7b8ca3; } .track { fill: #d9e0ea; } .share { fill: #c2571a; }
.native { fill: #1f5fbf; } .stacked { fill: #2f9e77; } .batchwise { fill: #8a6fd1; } .storage { fill: #2aa1b8; }
.gpu { fill: #b0488f; } .plain { fill: #e0a020; } .recovered { fill: #c33d4e; } .open { fill: #a3afbf; }
@media (prefers-color-scheme: dark) {
text { fill: #e4eaf2; } .paper { fill: #151a21; } .small { fill: #9aa8ba; }
.stage { fill: #1f2630; stroke: #3b4757; } .call { fill: #2a3340; stroke: #4a586b; }
.end { fill: #313c4b; stroke: #66778d; } .edge { stroke: #8496ad; } .head { fill: #8496ad; } .track { fill: #3b4757; }
.share { fill: #f08a4b; } .native { fill: #5c9bff; } .stacked { fill: #4fc79b; } .plain { fill: #f2c04e; }
.gpu { fill: #e07cc0; }
}
"""


def escape(said: str) -> str:
    return saxutils.escape(said.translate(_CONTROL), {'"': "&quot;"})


def text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(said)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str, corner: float = 6) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{corner:g}" class="{kind}"/>'


def group(parts: Sequence[str], tip: str, x: float = 0, y: float = 0) -> str:
    """Parts that move together, and what is shown when the pointer rests on them."""
    title = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<g transform="translate({x:.1f} {y:.1f})">{title}{"".join(parts)}</g>'


def label(x: float, y: float, said: str) -> str:
    """A small text that hides what is behind it."""
    return box(x - 2, y - 10, width_of(said, 11) + 4, 13, "paper", 2) + text(x, y, said, "small")


def elbow(x: float, y: float, to_x: float, to_y: float) -> str:
    """Straight down, then to the side, with a head at its end."""
    back = -7 if to_x > x else 7
    return (
        f'<path d="M{x:.1f} {y:.1f} V{to_y:.1f} H{to_x:.1f}" class="edge"/>'
        f'<path d="M{to_x + back:.1f} {to_y - 4:.1f} v8 L{to_x:.1f} {to_y:.1f} z" class="head"/>'
    )


def curve(points: Sequence[tuple[float, float]], head: bool = True) -> str:
    """A smooth way down through points, with a head at its end."""
    (x, y), *rest = points
    way = f"M{x:.1f} {y:.1f}"
    for to_x, to_y in rest:
        bend = (to_y - y) / 2
        way += f" C{x:.1f} {y + bend:.1f} {to_x:.1f} {to_y - bend:.1f} {to_x:.1f} {to_y:.1f}"
        x, y = to_x, to_y
    tip = f'<path d="M{x - 4:.1f} {y - 7:.1f} h8 L{x:.1f} {y:.1f} z" class="head"/>' if head else ""
    return f'<path d="{way}" class="edge"/>{tip}'


def picture(parts: Sequence[str], width: float, height: float, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(label)}">\n<style>{STYLE}</style>\n'
        + "\n".join([box(0, 0, width, height, "paper", 0), *parts])
        + "\n</svg>\n"
    )


def width_of(said: str, size: float = 13) -> float:
    """About as wide as the text is in most fonts."""
    return len(said) * size * 0.58
