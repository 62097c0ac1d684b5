"""Contact sheets: many samples as one picture, or as HTML for notebooks and pages."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from penstock.viz.marks import Marks, marked
from penstock.viz.page import page
from penstock.viz.palette import LIGHT, rgb
from penstock.viz.svg import escape

Array = np.ndarray[Any, Any]

_HTML_SIDE, _HTML_SIDE_OF_ONE = 224, 640
_PNG_SIDE, _SAVED_SIDE, _PNG_COLUMNS = 112, 192, 6
_SHOWN_FRAMES, _FRAME_SIDE = 12, 112
_PIXELATED = 48  # smaller pictures are shown with their pixels as squares
_GAP, _LINE, _FONT_SIZE = 8, 16, 0.38

# Notebooks are light or dark whatever the system prefers: texts take the colour around them, lines are see-through.
STYLE = """
.penstock-sheet { font: 13px/1.45 system-ui, "DejaVu Sans", sans-serif; color: inherit; max-width: 76rem; }
.penstock-sheet p { margin: 0.2rem 0 0.5rem; }
.penstock-sheet .dim { opacity: 0.66; }
.penstock-sheet .grid { display: grid; gap: 10px; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
.penstock-sheet .grid.broad { grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.penstock-sheet .grid.strips { grid-template-columns: minmax(0, max-content); gap: 16px; }
.penstock-sheet .grid.one { grid-template-columns: minmax(0, max-content); }
.penstock-sheet figure { margin: 0; min-width: 0; }
.penstock-sheet img { display: block; margin: 0; max-width: 100%; width: 100%; height: 8.5rem; object-fit: contain;
  background: rgba(127, 137, 150, 0.13); border-radius: 5px; }
.penstock-sheet .broad img { height: auto; }
.penstock-sheet .one img { width: auto; height: auto; max-height: 32rem; }
.penstock-sheet img.pixels { image-rendering: pixelated; }
.penstock-sheet .one img.pixels { min-width: 12rem; }
.penstock-sheet figcaption { padding: 3px 1px 0; font-size: 12px; overflow-wrap: anywhere; text-align: left;
  color: inherit; font-style: normal; }
.penstock-sheet figcaption b { display: block; font-weight: 600; }
.penstock-sheet .player, .penstock-sheet .strip { max-width: 100%; border-radius: 5px; background-image: var(--strip); }
.penstock-sheet .strip { background-size: 100% 100%; margin-top: 4px; width: var(--wide); }
.penstock-sheet .player { background-size: auto 100%;
  animation: penstock-play calc(var(--count) * 0.16s) steps(var(--count)) infinite; }
.penstock-sheet .player:hover { animation-play-state: paused; }
@keyframes penstock-play { from { background-position-x: 0; } to { background-position-x: var(--back); } }
@media (prefers-reduced-motion: reduce) { .penstock-sheet .player { animation: none; } }
.penstock-sheet pre { margin: 0; max-height: 20rem; overflow: auto; background: none; border: 0; padding: 0;
  font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; color: inherit; }
"""


class Tile(NamedTuple):
    """One sample of a sheet: a picture, or the frames of a sequence, what is drawn over it and written below."""

    frames: Sequence[Array]
    title: str = ""
    caption: str = ""
    marks: Marks = Marks()
    broad: bool = False  # a plot, which is much wider than high


class Sheet:
    """Samples as a contact sheet: shown by notebooks, written by `save`.

    Example:
        >>> sheet = ndd.show(images, labels=labels)
        >>> sheet.save("batch.png")
        >>> sheet.save("batch.html")
    """

    def __init__(
        self, heading: str, tiles: Sequence[Tile], more: int = 0, columns: int | None = None, text: str = ""
    ) -> None:
        self.heading = heading
        self.tiles = tuple(tiles)
        self.more = more
        self._columns = columns
        self._text = text  # in place of pictures, where there are none

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the sheet as a picture (.png, .jpg, .webp) or as a page that needs no other file (.html)."""
        import cv2

        target = Path(path)
        suffix = target.suffix.lower()
        if suffix in (".html", ".htm"):
            target.write_text(page(target.stem, self._repr_html_()), encoding="utf-8")
        elif suffix in (".png", ".jpg", ".jpeg", ".webp"):
            picture = self.picture(_SAVED_SIDE)
            if picture is None:
                raise ValueError(f"there is no picture of {self.heading}; a sheet of it can be written as .html")
            target.write_bytes(cv2.imencode(suffix, picture[..., ::-1])[1].tobytes())
        else:
            raise ValueError(f"{target} is neither .png, .jpg, .webp nor .html")

    def picture(self, side: int = _PNG_SIDE) -> Array | None:
        """The sheet as H, W, 3 bytes, each sample fitted into `side` pixels; None where samples are numbers."""
        if not self.tiles:
            return None
        columns = self._columns or (1 if self._sequences else 2 if self._broad else _PNG_COLUMNS)
        return contact_sheet(self.tiles, columns, side, more=self.more)

    @property
    def _broad(self) -> bool:
        return self._sequences or any(tile.broad for tile in self.tiles)

    @property
    def _sequences(self) -> bool:
        return any(len(tile.frames) > 1 for tile in self.tiles)

    def _repr_png_(self) -> bytes | None:
        picture = self.picture()
        return None if picture is None else encoded(picture, ".png")

    def _repr_html_(self) -> str:
        parts = [f'<div class="penstock-sheet"><style>{STYLE}</style>', f"<p>{self._heading_html()}</p>"]
        if self.tiles:
            alone = len(self.tiles) == 1 and not self.more
            kind = "strips" if self._sequences else "one" if alone else "broad" if self._broad else ""
            columns = f' style="grid-template-columns: repeat({self._columns}, 1fr)"' if self._columns else ""
            parts.append(f'<div class="grid {kind}"{columns}>')
            parts += [_figure(tile, _HTML_SIDE_OF_ONE if kind == "one" else _HTML_SIDE) for tile in self.tiles]
            parts.append("</div>")
        if self._text:
            parts.append(f"<pre>{escape(self._text)}</pre>")
        if self.more:
            parts.append(f'<p class="dim">+{self.more} more</p>')
        return "\n".join([*parts, "</div>"])

    def _heading_html(self) -> str:
        first, *rest = self.heading.split(" · ")
        return f"<b>{escape(first)}</b>" + "".join(f' <span class="dim">· {escape(part)}</span>' for part in rest)

    def __repr__(self) -> str:
        return f'<sheet: {self.heading}; .save("sheet.png") and .save("sheet.html") write it>'


def contact_sheet(tiles: Sequence[Tile], columns: int, side: int = _PNG_SIDE, gap: int = _GAP, more: int = 0) -> Array:
    """Tiles in rows of `columns`, each fitted into a square of `side` pixels; strips and plots are wider."""
    drawn = [
        _strip(tile) if len(tile.frames) > 1 else thumbnail(tile, 3 * side if tile.broad else side) for tile in tiles
    ]
    columns = max(1, min(columns, len(drawn)))
    lines = max((bool(tile.title) + bool(tile.caption) for tile in tiles), default=0)
    broad = any(tile.broad or len(tile.frames) > 1 for tile in tiles)
    width = max([side, *(each.shape[1] for each in drawn)]) if broad else side
    height = max(each.shape[0] for each in drawn)
    cell_width, cell_height = width + gap, height + gap + _LINE * lines
    rows = -(-len(drawn) // columns)
    shape = rows * cell_height + gap + (_LINE if more else 0), columns * cell_width + gap, 3
    sheet: Array = np.empty(shape, np.uint8)
    sheet[:] = rgb(LIGHT.paper)
    for place, (tile, picture) in enumerate(zip(tiles, drawn, strict=True)):
        row, column = divmod(place, columns)
        top, left = row * cell_height + gap, column * cell_width + gap
        y, x = top + (height - picture.shape[0]) // 2, left + (width - picture.shape[1]) // 2
        sheet[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
        words = [(tile.title, LIGHT.ink), (tile.caption, LIGHT.muted)]
        for line, (said, colour) in enumerate((said, colour) for said, colour in words if said):
            _write(sheet, said, left, top + height + _LINE * (line + 1) - 4, width, colour)
    if more:
        _write(sheet, f"+{more} more", gap, sheet.shape[0] - gap, sheet.shape[1], LIGHT.muted)
    return sheet


def _write(sheet: Array, said: str, left: int, base: int, width: int, colour: str) -> None:
    """One line, cut where it would be wider than `width`."""
    import cv2

    while said and cv2.getTextSize(said, cv2.FONT_HERSHEY_SIMPLEX, _FONT_SIZE, 1)[0][0] > width:
        said = said[:-2].rstrip() + "…" if len(said) > 2 else ""
    cv2.putText(sheet, said, (left, base), cv2.FONT_HERSHEY_SIMPLEX, _FONT_SIZE, rgb(colour), 1, cv2.LINE_AA)


def thumbnail(tile: Tile, side: int) -> Array:
    """The first frame of a tile with its marks, as large as fits into `side`; small ones by whole numbers."""
    return marked(_fitted(tile.frames[0], side, enlarge=True), tile.marks)


def _fitted(picture: Array, side: int, enlarge: bool = False) -> Array:
    import cv2

    height, width = picture.shape[:2]
    scale = side / max(height, width)
    if scale >= 1 and not enlarge:
        return picture
    if scale >= 2 and max(height, width) <= _PIXELATED:
        return picture.repeat(int(scale), axis=0).repeat(int(scale), axis=1)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR))


def _strip(tile: Tile) -> Array:
    """Frames side by side, chosen evenly where there are many."""
    count = min(len(tile.frames), _SHOWN_FRAMES)
    chosen = np.linspace(0, len(tile.frames) - 1, count).astype(int)
    frames = [marked(_fitted(tile.frames[number], _FRAME_SIDE), tile.marks) for number in chosen]
    return np.concatenate(frames, axis=1)


def encoded(picture: Array, suffix: str) -> bytes:
    """A picture as the bytes of a file."""
    import cv2

    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if suffix == ".jpg" else [cv2.IMWRITE_PNG_COMPRESSION, 6]
    data: bytes = cv2.imencode(suffix, np.ascontiguousarray(picture[..., ::-1]), options)[1].tobytes()
    return data


def data_url(picture: Array) -> str:
    """The bytes of a picture as an address: small ones exactly, large ones as JPEG."""
    exact = max(picture.shape[:2]) <= 2 * _PIXELATED
    kind = "png" if exact else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(encoded(picture, '.png' if exact else '.jpg')).decode()}"


def _figure(tile: Tile, side: int) -> str:
    said = (f"<b>{escape(tile.title)}</b>" if tile.title else "") + (
        f'<span class="dim">{escape(tile.caption)}</span>' if tile.caption else ""
    )
    caption = f"<figcaption>{said}</figcaption>" if said else ""
    return f"<figure>{player_html(tile) if len(tile.frames) > 1 else picture_html(tile, side)}{caption}</figure>"


def picture_html(tile: Tile, side: int) -> str:
    """The picture of a tile as an element of HTML."""
    picture = tile.frames[0]
    small = max(picture.shape[:2]) <= _PIXELATED
    if tile.marks.empty and not tile.broad:
        shown = _fitted(picture, side)  # what is small is enlarged by who shows it
    else:
        shown = thumbnail(tile, 2 * side if tile.broad else side)
    pixels = ' class="pixels"' if small else ""
    return f'<img{pixels} alt="{escape(tile.title or tile.caption)}" src="{data_url(shown)}">'


def player_html(tile: Tile) -> str:
    """The frames of a sequence one after the other, above the strip of them; both are drawn from one picture."""
    strip = _strip(tile)
    count = min(len(tile.frames), _SHOWN_FRAMES)
    width, height = strip.shape[1] // count, strip.shape[0]
    frame = f"width: {width}px; height: {height}px; --count: {count}; --back: -{count * width}px"
    whole = f"aspect-ratio: {count * width} / {height}; --wide: {count * width}px"
    return (
        f'<div style="--strip: url({data_url(strip)})"><div class="player" style="{frame}"></div>'
        f'<div class="strip" role="img" aria-label="{count} frames" style="{whole}">'
        "</div></div>"
    )
