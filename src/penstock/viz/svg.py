"""A few elements of SVG as text."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax import saxutils

from penstock.viz.palette import DARK, LIGHT, Theme

# Characters that XML does not have, but a line of Python may.
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32)], " ")


def _style(theme: Theme) -> str:
    """The stripes of the ways tell native passes, NumPy and Python apart also for those who see few colours."""
    return f"""
text {{ font: 13px system-ui, "DejaVu Sans", sans-serif; fill: {theme.ink}; }}
.paper {{ fill: {theme.paper}; }} .title {{ font-size: 16px; font-weight: 600; }}
.small {{ font-size: 11px; fill: {theme.muted}; }} .name {{ font-weight: 600; }}
.stage {{ fill: {theme.panel}; stroke: {theme.line}; }} .call {{ fill: {theme.card}; stroke: {theme.border}; }}
.end {{ fill: {theme.panel}; stroke: {theme.strong}; }}
.edge {{ fill: none; stroke: {theme.edge}; stroke-width: 1.4; }} .head {{ fill: {theme.edge}; }}
.track {{ fill: {theme.well}; }} .share {{ fill: {theme.orange}; }}
.native {{ fill: {theme.blue}; }} .stacked {{ fill: {theme.green}; }} .batchwise {{ fill: {theme.violet}; }}
.storage {{ fill: {theme.teal}; }} .gpu {{ fill: {theme.pink}; }} .plain {{ fill: {theme.amber}; }}
.recovered {{ fill: {theme.red}; }} .open {{ fill: {theme.grey}; }}
"""


STYLE = _style(LIGHT) + "@media (prefers-color-scheme: dark) {" + _style(DARK) + "}\n"


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
