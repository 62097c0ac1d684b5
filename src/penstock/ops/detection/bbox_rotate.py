"""Boxes of a rotated image."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.detection.boxes import check_boxes, check_labels
from penstock.ops.math.angles import cosine_and_sine
from penstock.schema import PerSample, examples, operator
from penstock.schema.params import Refusal
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
EXPANSION = {"fixed": 0.0, "halfway": 0.5, "expand": 1.0}

# Rounding errors of a turn by 90 degrees must not make the canvas a pixel larger.
_CANVAS_TOLERANCE = np.float32(1e-2)


def _foretell(
    boxes: Spec, *labels: Spec, bbox_layout: str, input_shape: Any, keep_size: bool, remove_threshold: float,
    shape_layout: str, size: Any, **arguments: Any,
) -> tuple[Spec, ...]:  # fmt: skip
    check_boxes(boxes, ndim=2)
    if not 0 <= remove_threshold <= 1:
        raise RuntimeError(f"remove_threshold is a share of the box, from 0 to 1, got {remove_threshold}")
    if "H" not in shape_layout or "W" not in shape_layout:
        raise RuntimeError(f"shape_layout needs H and W, got {shape_layout!r}")
    if isinstance(input_shape, list):
        _check_length("input_shape", len(input_shape), len(shape_layout), least=True)
    if isinstance(size, list) and size:
        _check_length("size", len(size), 2)
    if keep_size and (isinstance(size, Spec) or size):
        raise RuntimeError("keep_size and size exclude each other")
    for spec in labels:
        check_labels(spec)
        if spec.ndim not in (1, 2):
            raise RuntimeError(f"labels take one axis, or a second of extent 1, got {spec.ndim}")
    return (boxes, *labels)


def _check_length(name: str, length: int, wanted: int, least: bool = False) -> None:
    if length < wanted or (length > wanted and not least):
        raise RuntimeError(f"{name} takes {wanted} numbers, got {length}")


@operator(infer=_foretell, results=lambda inputs, arguments: inputs, runs_on="cpu")
def bbox_rotate(
    boxes: Array,
    labels: Array | None = None,
    *,
    angle: PerSample[float],
    input_shape: PerSample[list[int]],
    bbox_layout: Literal["xyXY", "xyWH"] = "xyXY",
    bbox_normalized: bool = True,
    keep_size: bool = False,
    mode: Annotated[Literal["expand", "halfway", "fixed"], Refusal("Unknown mode: {}")] = "expand",
    remove_threshold: float = 0.1,
    shape_layout: str = "HW",
    size: PerSample[list[float]] = [],  # noqa: B006
) -> Any:
    """Moves boxes to where they lie once `rotate` has turned their image, and drops those that left it.

        boxes, labels = ndd.bbox_rotate(boxes, labels, angle=30.0, input_shape=[480, 640], keep_size=True)

    Boxes are cut at the edges of the image. Labels go with their boxes.

    Args:
        labels: A label for every box.
        angle: Degrees, counter-clockwise.
        input_shape: Shape of the image before it is rotated.
        bbox_layout: "xyXY" for two corners, "xyWH" for a corner and a size.
        bbox_normalized: Boxes are in shares of the image, not in pixels.
        keep_size: The rotated image has the size of the original.
        mode: "expand" for boxes that hold all of the rotated box, "fixed" for boxes that keep their size, "halfway"
            for the middle of both.
        remove_threshold: Boxes with a smaller share of their area inside the image are dropped.
        shape_layout: What the numbers of `input_shape` are; H and W are needed.
        size: Height and width of the rotated image, where `rotate` was given them.
    """
    canvas = _geometry(angle, input_shape, shape_layout, size, keep_size)[0]
    turned, kept = _turn(boxes, canvas, bbox_layout == "xyXY", bbox_normalized, EXPANSION[mode], remove_threshold)
    return turned if labels is None else (turned, labels[kept])


def _turn(
    boxes: Array, geometry: Array, corners: bool, normalized: bool, expansion: float, threshold: float
) -> tuple[Array, Array]:
    cosine, sine, width, height, canvas_width, canvas_height = geometry
    rows = boxes.astype(np.float64)
    start, end = rows[:, :2], rows[:, 2:] if corners else rows[:, :2] + rows[:, 2:]
    if normalized:
        start, end = start * [width, height], end * [width, height]
    (x, y), extent = ((start + end) / 2 - [width / 2, height / 2]).T, end - start
    centre = np.stack([cosine * x + sine * y + canvas_width / 2, cosine * y - sine * x + canvas_height / 2], axis=1)
    kept_size = extent if abs(sine) <= abs(cosine) else extent[:, ::-1]
    full_size = extent * abs(cosine) + extent[:, ::-1] * abs(sine)
    half = (kept_size + (full_size - kept_size) * expansion) / 2
    canvas = np.array([canvas_width, canvas_height])
    low, high = np.clip(centre - half, 0, canvas), np.clip(centre + half, 0, canvas)
    with np.errstate(invalid="ignore", divide="ignore"):
        seen = np.prod(high - low, axis=1) / np.prod((centre + half) - (centre - half), axis=1)
    kept = np.flatnonzero(seen >= threshold)
    made = np.hstack([low, high if corners else high - low])[kept]
    return (made / [*canvas, *canvas] if normalized else made).astype(np.float32), kept


def _geometry(angle: Any, input_shape: Any, shape_layout: str, size: Any, keep_size: bool) -> Array:
    """Cosine, sine, width, height and the width and height of the canvas, a row for each sample or one for all."""
    cosine, sine = cosine_and_sine(np.deg2rad(np.atleast_1d(np.asarray(angle, np.float32))))
    shape = _rows("input_shape", input_shape, len(shape_layout), least=True)
    height, width = (shape[:, shape_layout.index(axis)].astype(np.float32) for axis in "HW")
    canvas_height, canvas_width = height, width
    if len(size) and len(size[0] if np.ndim(size[0]) else size):
        canvas_height, canvas_width = np.trunc(_rows("size", size, 2)).T
    elif not keep_size:
        canvas_width, canvas_height = _canvas(abs(cosine), abs(sine), width, height)
    for name, extents in (("input_shape", (height, width)), ("size", (canvas_height, canvas_width))):
        if (least := min(extent.min(initial=1) for extent in extents)) < 1:
            raise RuntimeError(f"{name} is a size in pixels, at least 1, got {least:g}")
    columns = np.broadcast_arrays(cosine, sine, width, height, canvas_width, canvas_height)
    return np.ascontiguousarray(np.stack(columns, axis=1), np.float64)


def _canvas(cosine: Array, sine: Array, width: Array, height: Array) -> tuple[Array, Array]:
    """The least canvas for the whole image whose centre stays on, or between, pixels as that of the image does."""
    canvas_width = np.ceil(cosine * width + sine * height - _CANVAS_TOLERANCE)
    canvas_height = np.ceil(sine * width + cosine * height - _CANVAS_TOLERANCE)
    upright = sine <= cosine
    canvas_width += (canvas_width - np.where(upright, width, height)) % 2
    canvas_height += (canvas_height - np.where(upright, height, width)) % 2
    return canvas_width, canvas_height


def _rows(name: str, values: Any, wanted: int, least: bool = False) -> Array:
    rows = [np.atleast_1d(row) for row in (values if np.ndim(values[0]) else [values])]
    for row in rows:
        _check_length(name, len(row), wanted, least)
    return np.stack([row[:wanted] for row in rows])


@bbox_rotate.on_samples
def whole(
    pool: Pool, n: int, boxes: Samples, labels: Samples | None = None, *, angle: Array, input_shape: Any,
    bbox_layout: str, bbox_normalized: bool, keep_size: bool, mode: str, remove_threshold: float, shape_layout: str,
    size: Any,
) -> list[Samples]:  # fmt: skip
    geometry = _geometry(angle, input_shape, shape_layout, size, keep_size)
    turned, kept = _native.rotate_boxes(
        pool, n, boxes, labels, geometry, bbox_layout == "xyXY", bbox_normalized, EXPANSION[mode], remove_threshold
    )
    return [turned] if labels is None else [turned, _native.take_rows(pool, n, labels, kept)]


bbox_rotate.examples = examples(
    "ndd.bbox_rotate(boxes, angle=30.0, input_shape=[480, 640])",
    "ndd.bbox_rotate(boxes, labels, angle=-65.3, input_shape=[481, 640, 3], keep_size=True)",
    "ndd.bbox_rotate(boxes, labels, angle=30.0, input_shape=[480, 640], keep_size=True, remove_threshold=0.6)",
    "ndd.bbox_rotate(boxes, angle=100.0, input_shape=[480, 641], mode='fixed')",
    "ndd.bbox_rotate(boxes, angle=19.0, input_shape=[640, 480], shape_layout='WH', mode='halfway')",
    within=1e-05,
)
