"""The colours of all drawings and pages, for light and for dark surroundings."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    """The colours of one surrounding, by what they are used for."""

    ink: str  # text
    muted: str  # text that stands back
    paper: str  # behind everything
    panel: str  # behind a group of things
    card: str  # behind one thing
    well: str  # behind pictures and bars
    line: str  # around groups
    border: str  # around one thing
    edge: str  # arrows
    strong: str  # around ends of a drawing
    blue: str
    green: str
    violet: str
    teal: str
    pink: str
    amber: str
    red: str
    grey: str
    orange: str


LIGHT = Theme(
    ink="#1c2430", muted="#5d6b7e", paper="#fbfcfe", panel="#eef2f8", card="#ffffff", well="#d9e0ea", line="#c3cddb",
    border="#b4c0d0", edge="#7b8ca3", strong="#93a3b8", blue="#1f5fbf", green="#2f9e77", violet="#8a6fd1",
    teal="#2aa1b8", pink="#b0488f", amber="#e0a020", red="#c33d4e", grey="#a3afbf", orange="#c2571a",
)  # fmt: skip
DARK = Theme(
    ink="#e4eaf2", muted="#9aa8ba", paper="#151a21", panel="#1f2630", card="#2a3340", well="#3b4757", line="#3b4757",
    border="#4a586b", edge="#8496ad", strong="#66778d", blue="#5c9bff", green="#4fc79b", violet="#a892e8",
    teal="#4fc1d6", pink="#e07cc0", amber="#f2c04e", red="#f0697a", grey="#a3afbf", orange="#f08a4b",
)  # fmt: skip

# What is drawn over photographs, neighbours far apart in hue and lightness: classes of boxes and masks.
OVER_PHOTOS = (DARK.amber, DARK.blue, DARK.red, DARK.green, DARK.violet, DARK.pink, DARK.teal, DARK.orange)
# From little to much: spectrograms and other arrays of numbers.
HEAT = (DARK.paper, LIGHT.blue, LIGHT.teal, DARK.amber, LIGHT.paper)


def rgb(colour: str) -> tuple[int, int, int]:
    """The bytes of a colour such as "#1f5fbf"."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue


def variables() -> str:
    """CSS that names the colours on a page, as `var(--ink)`, and changes them with the reader's preference."""

    def named(theme: Theme) -> str:
        return " ".join(f"--{name}: {colour};" for name, colour in theme._asdict().items())

    return (
        f":root {{ color-scheme: light dark; {named(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {named(DARK)} }} }}\n"
    )
