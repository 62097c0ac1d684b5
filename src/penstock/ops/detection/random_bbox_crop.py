"""Random crops that suit the boxes of an image."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.detection.boxes import check_boxes, check_labels
from penstock.schema import Draw, Example, PerSample, examples, operator
from penstock.schema.params import Refusal
from penstock.values.dtypes import float32, int32
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


@dataclass
class BoxWindow:
    """Which windows are drawn, and which will do."""

    thresholds: list[float] = (0.0,)  # type: ignore[assignment]
    threshold_type: Annotated[Literal["iou", "overlap"], Refusal('Not supported ``threshold_type`` value: "{}"')] = (
        "iou"
    )
    all_boxes_above_threshold: bool = True
    allow_no_crop: bool | None = None
    bbox_prune_threshold: float | None = None
    scaling: list[float] | None = None
    aspect_ratio: list[float] | None = None
    num_attempts: int = 1
    total_num_attempts: int = -1
    quiet: bool = False

    def check(self, fixed: bool) -> None:
        """Refuses what no window can meet; `fixed` where the window's size is given in pixels."""
        if not self.thresholds:
            raise RuntimeError("At least one threshold value must be provided")
        for threshold in self.thresholds:
            if not 0 <= threshold <= 1:
                raise RuntimeError(f"Threshold value must be within the range [0.0, 1.0]. Received: {threshold:g}")
        if self.bbox_prune_threshold is not None and not 0 <= self.bbox_prune_threshold <= 1:
            raise RuntimeError(
                f"`bbox_prune_threshold` must be in range `[0.0,1.0]`. Got: {self.bbox_prune_threshold:g}"
            )
        if self.num_attempts < 1:
            raise RuntimeError(f"Minimum number of attempts must be greater than zero, got {self.num_attempts}")
        if self.total_num_attempts < 1 and self.total_num_attempts != -1:
            raise RuntimeError(
                f"Minimum total number of attempts must be greater than zero, or -1 for no end, got "
                f"{self.total_num_attempts}"
            )
        if fixed:
            for name in ("scaling", "aspect_ratio", "allow_no_crop"):
                if getattr(self, name):
                    raise RuntimeError(f"`{name}` is incompatible with providing the crop shape explicitly")
        self._check_ranges()

    def _check_ranges(self) -> None:
        scaling, ratios = self.scaling or [1.0, 1.0], self.aspect_ratio or [1.0, 1.0]
        if len(scaling) != 2:
            raise RuntimeError(f"`scaling` must be a range `[min, max]`. Got {len(scaling)} values")
        if not 0 <= scaling[0] <= scaling[1]:
            raise RuntimeError(f"`scaling` range must be positive and min <= max. Got: {scaling[0]:g}, {scaling[1]:g}")
        if len(ratios) not in (2, 6):
            raise RuntimeError(
                "`aspect_ratio` range argument should have 2 elements, or 6 elements in case of 3D bounding boxes. Got "
                f"{len(ratios)} elements"
            )
        for low, high in zip(ratios[::2], ratios[1::2], strict=True):
            if not 0 <= low <= high or not 0 < high < float("inf"):
                raise RuntimeError(f"`aspect_ratio` range must be positive and min <= max. Got: {low:g}, {high:g}")

    def rule(self, fixed: bool) -> _native.BoxCropRule:
        scaling, ratios = self.scaling or [1.0, 1.0], self.aspect_ratio or [1.0, 1.0]
        pairs = list(zip(ratios[::2], ratios[1::2], strict=True)) * (3 if len(ratios) == 2 else 1)
        keeps_all = not fixed if self.allow_no_crop is None else self.allow_no_crop
        return _native.BoxCropRule(
            self.thresholds, keeps_all, self.all_boxes_above_threshold, self.threshold_type == "overlap",
            self.bbox_prune_threshold, (scaling[0], scaling[1]), pairs, self.num_attempts, self.total_num_attempts,
        )  # fmt: skip


def _foretell(
    boxes: Spec, *labels: Spec, window: BoxWindow, bbox_layout: str | None, ltrb: bool | None, crop_shape: Any,
    input_shape: Any, shape_layout: str | None, output_bbox_indices: bool,
) -> tuple[Spec, ...]:  # fmt: skip
    check_boxes(boxes, ndim=2)
    window.check(crop_shape is not None)
    if bbox_layout is not None and ltrb is not None:
        raise RuntimeError(
            "`ltrb` and `bbox_layout` can't be provided at the same time. `ltrb` was deprecated in favor of "
            "`bbox_layout`."
        )
    if crop_shape is not None and input_shape is None:
        raise RuntimeError("``input_shape`` must be provided when providing ``crop_shape``")
    _places(bbox_layout or "xyXY")
    _axes(shape_layout, len(shape_layout or "WH"))
    for spec in labels:
        check_labels(spec)
        if not spec.ndim:
            raise RuntimeError("labels need an axis, with a label for every box")
    indices = [Spec(int32, 1, "")] * output_bbox_indices
    return (Spec(float32, 1, ""), Spec(float32, 1, ""), boxes, *labels, *indices)


def _places(layout: str) -> tuple[list[int], list[int], bool]:
    """Where in a box the start of each axis stands, and its end; and whether that is a size."""
    for starts, ends in (("xy", "XY"), ("xyz", "XYZ"), ("xy", "WH"), ("xyz", "WHD")):
        if sorted(layout) == sorted(starts + ends):
            return [*map(layout.index, starts)], [*map(layout.index, ends)], ends[0] == "W"
    corners, sizes = ("xyzXYZ", "xyzWHD") if "z" in layout else ("xyXY", "xyWH")
    raise RuntimeError(f"`bbox_layout` should be a permutation of `{corners}` or `{sizes}`. Got: `{layout}`")


def _axes(layout: str | None, ndim: int) -> list[int]:
    """Where in a shape width, height and depth stand."""
    names = "WHD"[:ndim]
    if layout is not None and sorted(layout) != sorted(names):
        raise RuntimeError(
            f"`shape_layout` should be a permutation of `{names}` for the provided inputs. Got: `{layout}`"
        )
    return [(layout or names).index(name) for name in names]


@operator(
    infer=_foretell,
    results=lambda inputs, arguments: 2 + inputs + bool(arguments["output_bbox_indices"]),
    runs_on="cpu",
)
def random_bbox_crop(
    boxes: Array,
    labels: Array | None = None,
    *,
    window: BoxWindow,
    bbox_layout: str | None = None,
    ltrb: bool | None = None,
    crop_shape: PerSample[list[int]] | None = None,
    input_shape: PerSample[list[int]] | None = None,
    shape_layout: str | None = None,
    output_bbox_indices: bool = False,
    draw: Draw,
) -> tuple[Array, ...]:
    """Draws a crop window that keeps enough of an image's boxes, and tells where boxes lie in it.

        anchor, shape, boxes, labels = ndd.random_bbox_crop(boxes, labels, thresholds=[0.1, 0.5], scaling=[0.3, 1.0])
        images = ndd.slice(images, anchor, shape)

    One of the thresholds is drawn, then `num_attempts` windows, and the last that overlaps with the boxes that much is
    taken. Where there is none, or it keeps no box, another threshold is drawn. Boxes are in shares of the image
    before and of the window after. Labels go with their boxes.

    Args:
        labels: A label for every box.
        thresholds: Least overlaps to draw from.
        threshold_type: "iou", intersection over union of box and window; "overlap", the share of the box inside.
        all_boxes_above_threshold: Every box must overlap that much; without it any.
        allow_no_crop: Not to crop is one more choice. Yes, unless there is `crop_shape`.
        bbox_prune_threshold: Least share of a box inside the window to keep it. By default its centre must be inside.
        scaling: Range of the window's extents, in shares of the image; the whole by default.
        aspect_ratio: Range of width over height; with six numbers also of width and of height over depth.
            1 by default: in shares, or in pixels where there is `input_shape`.
        num_attempts: Windows to try for one threshold.
        total_num_attempts: Windows to try before the best of them is taken; -1 for no end.
        quiet: Do not warn when it comes to that.
        bbox_layout: Letters of a box: x, y, z where it starts, X, Y, Z where it ends or W, H, D how large it is.
        ltrb: Outdated: True for "xyXY", False for "xyWH".
        crop_shape: Size of the window in pixels. Then anchor and shape are pixels as well.
        input_shape: Size of the image in pixels.
        shape_layout: Order of the numbers in both; width, height, depth by default.
        output_bbox_indices: Return also which boxes were kept.
    """
    inputs = [Samples.wrap_one(array) for array in (boxes, labels) if array is not None]
    shapes = {
        name: None if value is None else np.asarray(value)[None]
        for name, value in (("crop_shape", crop_shape), ("input_shape", input_shape))
    }
    made = whole(
        Pool(1), 1, *inputs, window=window, bbox_layout=bbox_layout, ltrb=ltrb, shape_layout=shape_layout,
        output_bbox_indices=output_bbox_indices, draw=draw, **shapes,
    )  # fmt: skip
    return tuple(samples.sample(0) for samples in made)


@random_bbox_crop.on_samples
def whole(
    pool: Pool, n: int, boxes: Samples, labels: Samples | None = None, *, window: BoxWindow, bbox_layout: str | None,
    ltrb: bool | None, crop_shape: Any, input_shape: Any, shape_layout: str | None, output_bbox_indices: bool,
    draw: Draw,
) -> list[Samples]:  # fmt: skip
    numbers = boxes.shape(0)[1] if n else 4
    if numbers not in (4, 6):
        raise RuntimeError(f"Unexpected number of coordinates for bounding boxes: {numbers}; a box has 4, or 6")
    ndim = numbers // 2
    sizes = "xyz"[:ndim] + "WHD"[:ndim]
    corners = "xyz"[:ndim] + "XYZ"[:ndim]
    start, end, ends_are_sizes = _places(bbox_layout or (sizes if ltrb is False else corners))
    if len(start) != ndim:
        raise RuntimeError(f"`bbox_layout` should be a permutation of `{corners}` or `{sizes}`. Got: `{bbox_layout}`")
    axes = _axes(shape_layout, ndim)
    anchors, extents, moved, kept, unsettled = _native.crop_boxes(
        pool, n, draw, boxes, labels, window.rule(crop_shape is not None), start, end, ends_are_sizes,
        _pixels("input_shape", input_shape, axes), _pixels("crop_shape", crop_shape, axes),
    )  # fmt: skip
    if unsettled and not window.quiet:
        warnings.warn(
            f"random_bbox_crop: {unsettled} of {n} samples have the best of {window.total_num_attempts} windows, which "
            "does not meet the conditions",
            stacklevel=2,
        )
    made = [anchors, extents, moved]
    if labels is not None:
        made.append(_native.take_rows(pool, n, labels, kept))
    return [*made, kept] if output_bbox_indices else made


def _pixels(name: str, rows: Any, axes: list[int]) -> Array | None:
    """Sizes in pixels, as width, height and depth."""
    if rows is None:
        return None
    for row in rows:
        if len(row) != len(axes):
            raise RuntimeError(f"Unexpected number of elements in argument `{name}`: {len(row)}, expected: {len(axes)}")
    return np.ascontiguousarray(np.asarray(rows, np.int32)[:, axes])


random_bbox_crop.examples = examples(
    "ndd.random_bbox_crop(boxes)",
    "ndd.random_bbox_crop(boxes, labels, crop_shape=[20, 30], input_shape=[10, 10])",
    Example(
        (
            "ndd.random_bbox_crop(boxes, labels, thresholds=[0.0, 0.1, 0.3, 0.5], scaling=[0.3, 1.0], "
            "aspect_ratio=[0.5, 2.0], num_attempts=10)"
        ),
        timed=True,
    ),
)
