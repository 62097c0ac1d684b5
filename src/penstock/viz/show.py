"""Samples as a contact sheet, with what is known of them: labels, boxes, masks, files."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.engine.explanation import Explanation
from penstock.viz.marks import Marks
from penstock.viz.pixels import Normalization, Picture, picture
from penstock.viz.sheet import STYLE, Sheet, Tile
from penstock.viz.svg import escape

Array = np.ndarray[Any, Any]

_BOX_LAYOUTS = ("xyXY", "xyWH")


class Shown(NamedTuple):
    """The samples of a Tensor or a Batch that are shown, the first of `total`."""

    name: str
    arrays: Sequence[Array]
    total: int
    dtype: str
    layout: str
    text: str  # in place of pictures
    is_batch: bool = True
    uniform: bool = True
    sources: Sequence[str] | None = None
    normalization: Normalization | None = None


def normalization(
    mean: Sequence[float] | None = None,
    deviation: Sequence[float] | None = None,
    scale: float = 1.0,
    shift: float = 0.0,
) -> Normalization | None:
    """How pixels were normalised; None where that is not known."""
    if mean is None or deviation is None or not scale:
        return None
    return Normalization(tuple(mean), tuple(deviation), scale, shift)


def sheet(
    shown: Shown,
    *,
    boxes: Sequence[Array] | None = None,
    labels: Sequence[Any] | None = None,
    masks: Sequence[Array] | None = None,
    class_names: Sequence[str] | None = None,
    bbox_layout: str = "xyXY",
    relative: bool | None = None,
    columns: int | None = None,
) -> Sheet:
    """The samples with their labels below, boxes and masks over them."""
    for name, given in (("boxes", boxes), ("labels", labels), ("masks", masks)):
        if given is not None and len(given) < len(shown.arrays):
            raise ValueError(f"{name} are of {len(given)} samples, there are {len(shown.arrays)} to be shown")
    if bbox_layout not in _BOX_LAYOUTS:
        raise ValueError(f'bbox_layout is "xyXY" or "xyWH", got {bbox_layout!r}')
    if relative is None:
        relative = boxes is not None and all(_looks_relative(each) for each in boxes)
    tiles = []
    for number, array in enumerate(shown.arrays):
        pictured = picture(array, shown.layout, shown.normalization)
        if not pictured.frames:
            break
        label = None if labels is None else labels[number]
        within = pictured.frames[0].shape[1::-1]
        mine = None if boxes is None else _corners(boxes[number], bbox_layout, None if relative else within)
        of_boxes = label if label is not None and mine is not None and _belongs_to(label, mine) else ()
        marks = Marks(
            mine,
            [word(each, class_names) for each in of_boxes],
            [int(each) for each in of_boxes if _is_number(each)],
            () if masks is None else _layers(masks[number]),
        )
        source = shown.sources[number] if shown.sources and number < len(shown.sources) else ""
        title = posixpath.basename(source) if label is None or len(of_boxes) else word(label, class_names)
        tiles.append(_tile(array, pictured, title, marks))
    text = "" if len(tiles) == len(shown.arrays) and tiles else _text(shown)
    return Sheet(heading(shown), () if text else tiles, 0 if text else shown.total - len(tiles), columns, text)


def _text(shown: Shown) -> str:
    """What is shown in place of pictures: one number of each sample in a row, else the text of the value."""
    if shown.is_batch and shown.arrays and all(array.size == 1 for array in shown.arrays):
        return ", ".join(word(array) for array in shown.arrays) + (", …" if shown.total > len(shown.arrays) else "")
    return shown.text


def _tile(array: Array, pictured: Picture, title: str, marks: Marks) -> Tile:
    caption = shape_text(array.shape) if pictured.kind != "file" else ""
    said = ", ".join(filter(None, (caption, pictured.note)))
    return Tile(pictured.frames, title, said, marks, pictured.kind in ("waveform", "heat map"))


def heading(shown: Shown) -> str:
    """Such as "Batch of 64 · u8 HWC · 224x224x3"."""
    parts = [f"{shown.name} of {shown.total}" if shown.is_batch else shown.name]
    parts.append(f"{shown.dtype} {shown.layout}".rstrip())
    if shown.arrays:
        parts.append(shape_text(shown.arrays[0].shape) if shown.uniform else "shapes differ")
    return " · ".join(parts)


def shape_text(shape: Sequence[int]) -> str:
    """Such as "360x480x3"."""
    return "x".join(map(str, shape)) or "scalar"


def word(label: Any, class_names: Sequence[str] | None = None) -> str:
    """A label in words: the name of its class where names are known."""
    if isinstance(label, str):
        return label
    values = np.asarray(label).ravel()
    if values.size != 1:
        return ", ".join(word(value, class_names) for value in values[:6]) + (", …" if values.size > 6 else "")
    value = values[0].item()
    if class_names is not None and isinstance(value, int) and 0 <= value < len(class_names):
        return class_names[value]
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _belongs_to(label: Any, boxes: Array) -> bool:
    """Whether a label has a value for each box."""
    return np.ndim(label) == 1 and len(label) == len(boxes) > 0


def _is_number(label: Any) -> bool:
    return not isinstance(label, str) and np.asarray(label).dtype.kind in "biuf"


def _looks_relative(boxes: Array) -> bool:
    array = np.asarray(boxes)
    return array.dtype.kind == "f" and (array.size == 0 or float(array.max()) <= 1.001)


def _corners(boxes: Any, bbox_layout: str, within: tuple[int, ...] | None) -> Array:
    """Left, top, right, bottom as shares of the picture, of which `within` is width and height if they are pixels."""
    array: Array = np.asarray(boxes, np.float32)
    array = array.reshape(0, 4) if array.size == 0 else array.reshape(-1, 4) if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError(f"boxes of a sample are an array of shape (n, 4), got {array.shape}")
    if bbox_layout == "xyWH":
        array = np.concatenate([array[:, :2], array[:, :2] + array[:, 2:]], axis=1)
    if within is not None:
        width, height = within
        array = array / np.array([width, height, width, height], np.float32)
    return array


def _layers(mask: Any) -> list[Array]:
    """The masks of one sample as H, W each: labels of pixels, or a mask for each object one after the other."""
    array: Array = np.asarray(mask)
    if array.ndim == 3 and array.shape[-1] == 1:
        array = array[..., 0]
    if array.ndim == 2:
        return [array]
    if array.ndim != 3:
        raise ValueError(f"masks of a sample are of shape (h, w), (h, w, 1) or (n, h, w), got {array.shape}")
    return [(each != 0) * (number + 1) for number, each in enumerate(array)]


def pending_html(explanation: Explanation) -> str:
    """What stands for a value that has not been computed, and is not computed for being looked at."""
    return (
        f'<div class="penstock-sheet"><style>{STYLE}</style><p><b>not computed yet</b> <span class="dim">· '
        "<code>.evaluate()</code> or <code>ndd.show(...)</code> runs this:</span></p>"
        f"<pre>{escape(str(explanation))}</pre></div>"
    )
