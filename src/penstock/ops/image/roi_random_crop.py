"""Random crop windows around a region."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.values.dtypes import int64
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(*image: Spec, crop_shape: Any, roi_start: Any, roi_end: Any, roi_shape: Any, in_shape: Any) -> Spec:
    if (roi_end is None) == (roi_shape is None):
        raise RuntimeError("Either ROI end or ROI shape should be defined, but not both")
    if image and in_shape is not None:
        raise RuntimeError("``in_shape`` argument is incompatible with providing an input.")
    if isinstance(crop_shape, list):
        given = {"roi_start": roi_start, "roi_end": roi_end, "roi_shape": roi_shape, "in_shape": in_shape}
        for name, value in given.items():
            if isinstance(value, list):
                _check_length(name, len(value), len(crop_shape))
        if image and image[0].ndim is not None and image[0].ndim < len(crop_shape):
            raise RuntimeError(f"crop_shape takes up to {image[0].ndim} numbers, got {len(crop_shape)}")
    return Spec(int64, 1, "")


def _check_length(name: str, length: int, axes: int) -> None:
    if length not in (1, axes):
        raise RuntimeError(
            f'Expected uniform shape for argument "{name}" but got shape {{{length}}}; crop_shape has {axes} numbers'
        )


@operator(infer=_foretell, numbers_only=False, runs_on="cpu")
def roi_random_crop(
    image: Array | None = None,
    *,
    crop_shape: PerSample[list[int]],
    roi_start: PerSample[list[int]],
    roi_end: PerSample[list[int]] | None = None,
    roi_shape: PerSample[list[int]] | None = None,
    in_shape: PerSample[list[int]] | None = None,
    draw: Draw,
) -> Array:
    """Draws where to put a crop window so that it has as much of a region as possible.

        start = ndd.roi_random_crop(volumes, crop_shape=[64, 64, 64], roi_start=start, roi_end=end)
        patches = ndd.slice(volumes, start=start, shape=[64, 64, 64], axes=[0, 1, 2])

    A window larger than the region contains it, a smaller one lies in it. Where the image or its shape is given the
    window does not leave it.

    Args:
        image: The image to be cropped, for its shape.
        crop_shape: Size of the window.
        roi_start: Where the region starts.
        roi_end: Where it ends.
        roi_shape: Its size, instead of its end.
        in_shape: Shape of the image, instead of the image.
    """
    given = {"crop_shape": crop_shape, "roi_start": roi_start, "roi_end": roi_end, "roi_shape": roi_shape}
    rows = {name: None if value is None else np.asarray(value)[None] for name, value in given.items()}
    shape = None if in_shape is None else np.asarray(in_shape)[None]
    inputs = () if image is None else (Samples.wrap_one(image),)
    place: Array = whole(Pool(1), 1, *inputs, in_shape=shape, draw=draw, **rows).sample(0)
    return place


@roi_random_crop.on_samples
def whole(
    pool: Pool, n: int, *image: Samples, crop_shape: Any, roi_start: Any, roi_end: Any, roi_shape: Any, in_shape: Any,
    draw: Draw,
) -> Samples:  # fmt: skip
    axes = len(crop_shape[0]) if len(crop_shape) else 0
    crop = _rows("crop_shape", crop_shape, axes)
    start = _rows("roi_start", roi_start, axes)
    end = _rows("roi_end", roi_end, axes) if roi_shape is None else start + _rows("roi_shape", roi_shape, axes)
    _require(crop >= 0, "crop_shape has a negative extent: {}", crop)
    _require(end >= start, "the region ends at {} before it starts", end)
    low, high = np.minimum(start, end - crop), np.maximum(start, end - crop)
    drawn = low < high  # no number is spent where the window is as large as the region
    if image or in_shape is not None:
        shape = _rows("in_shape", in_shape, axes) if in_shape is not None else _shape_of(image[0], axes)
        _require(
            shape >= crop,
            "Cropping shape can't be bigger than the input shape. Got: crop_shape[{}] and sample_shape[{}] "
            "for d={axis}",
            crop,
            shape,
        )
        _require(
            (start >= 0) & (end <= shape),
            "ROI can't be out of bounds. Got roi_start[{}], roi_end[{}], sample_shape[{}], for d={axis}",
            start,
            end,
            shape,
        )
        low, high = np.maximum(low, 0), np.minimum(high, shape - crop)
    bounds = np.broadcast_arrays(low, high, drawn)
    return _native.random_places(n, draw, *(np.ascontiguousarray(each, np.int64) for each in bounds))


def _rows(name: str, rows: Any, axes: int) -> Array:
    for row in rows:
        _check_length(name, len(row), axes)
    made = np.asarray([np.broadcast_to(row, axes) for row in rows] if isinstance(rows, list) else rows, np.int64)
    return made if made.shape[1] == axes else np.repeat(made, axes, axis=1)


def _shape_of(image: Samples, axes: int) -> Array:
    if image.ndim < axes:
        raise RuntimeError(f"crop_shape takes up to {image.ndim} numbers, got {axes}")
    shapes = [image.shape(0)] if image.uniform and len(image) else image.shapes()
    return np.array(shapes, np.int64).reshape(len(shapes), image.ndim)[:, :axes]


def _require(holds: Array, message: str, *rows: Array) -> None:
    """Refuses the first extent for which something does not hold, with what it is in each of `rows`."""
    for sample, axis in np.argwhere(~holds):
        raise RuntimeError(message.format(*(each[sample if len(each) > 1 else 0, axis] for each in rows), axis=axis))


roi_random_crop.examples = examples(
    "ndd.roi_random_crop(crop_shape=[20, 30], roi_start=[10, 20], roi_end=[90, 180], batch_size=4)",
    "ndd.roi_random_crop(crop_shape=[50, 60], roi_start=[30, 40], roi_shape=[10, 10], in_shape=[60, 70])",
    Example(
        "ndd.roi_random_crop(crop_shape=[20, 30], roi_start=[10, 20], roi_end=[90, 180], batch_size=256)", timed=True
    ),
)
