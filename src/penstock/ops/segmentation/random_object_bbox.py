"""A random object of a mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.names import type_name
from penstock.schema import Draw, PerSample, operator
from penstock.schema.params import Refusal
from penstock.values.dtypes import int32
from penstock.values.samples import from_array, from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
_CONSTANTS = ("ignore_class", "k_largest")


@dataclass
class Objects:
    """Which objects are drawn from, and how likely each is."""

    foreground_prob: PerSample[float] = 1.0
    background: PerSample[int] | None = None
    classes: PerSample[list[int]] | None = None
    class_weights: PerSample[list[float]] | None = None
    ignore_class: bool = False
    threshold: PerSample[list[int]] | None = None
    k_largest: int | None = None

    def check(self, ndim: int, output_class: bool) -> None:
        if self.ignore_class and (output_class or self.classes is not None or self.class_weights is not None):
            raise RuntimeError(
                "Class-related arguments ``classes``, ``weights`` and ``output_class`` cannot be used when "
                "``ignore_class`` is True"
            )
        if self.k_largest is not None and self.k_largest < 1:
            raise RuntimeError(f"``k_largest`` must be at least 1; got {self.k_largest}")
        _check_weights(*([row] if isinstance(row, list) else row for row in (self.classes, self.class_weights)))
        if isinstance(self.threshold, list) and len(self.threshold) not in (1, ndim):
            raise RuntimeError(_threshold_mismatch(ndim, len(self.threshold)))


def _threshold_mismatch(ndim: int, count: int) -> str:
    return f'Expected uniform shape for argument "threshold" but got shape {{{count}}}; the mask has {ndim} axes'


def _check_weights(classes: Any, weights: Any) -> None:
    if weights is None or isinstance(weights, Spec):
        return
    for row in weights:
        values = np.asarray(row)
        if not (np.isfinite(values) & (values >= 0)).all():
            raise RuntimeError(f"class_weights must be finite and cannot be negative, got {values.tolist()}")
    if classes is None or isinstance(classes, Spec):
        return
    for i in range(max(len(classes), len(weights))):
        mine, own = (rows[i if len(rows) > 1 else 0] for rows in (classes, weights))
        if len(mine) != len(own):
            raise RuntimeError(
                "If both ``classes`` and ``class_weights`` are provided, their shapes must match. Got: classes.shape = "
                f"{{{len(mine)}}} weights.shape = {{{len(own)}}}"
            )


def _foretell(
    mask: Spec, *, objects: Objects, format: str, output_class: bool, cache_objects: bool
) -> tuple[Spec, ...]:
    assert mask.dtype is not None
    assert mask.ndim is not None
    if mask.dtype.storage.kind not in "iub" or mask.dtype.storage.itemsize > 4:
        raise RuntimeError(f"Unsupported input type: {type_name(mask.dtype)}; labels are integers of up to 32 bits")
    if mask.ndim == 0:
        raise RuntimeError("Unsuported number of dimensions 0; must be at least 1")
    objects.check(mask.ndim, output_class)
    places = (Spec(int32, 1, ""),) * (1 if format == "box" else 2)
    return (*places, Spec(int32, 0, "")) if output_class else places


def _count(inputs: int, arguments: dict[str, Any]) -> int:
    return (1 if arguments["format"] == "box" else 2) + bool(arguments["output_class"])


@operator(name="segmentation.random_object_bbox", infer=_foretell, results=_count, runs_on="cpu")
def random_object_bbox(
    mask: Array,
    *,
    objects: Objects,
    format: Annotated[
        Literal["anchor_shape", "start_end", "box"], Refusal('Invalid output format: "{}"')
    ] = "anchor_shape",
    output_class: bool = False,
    cache_objects: bool = False,
    draw: Draw,
) -> Any:
    """Draws an object of a label mask and tells the box around it.

        anchor, shape = ndd.segmentation.random_object_bbox(masks, foreground_prob=0.8)

    An object is a connected part with one label. A class is drawn first, then an object of it. Where there is no
    object the box is that of the whole mask, and the class the background.

    Args:
        foreground_prob: How likely an object is drawn, rather than the whole mask.
        background: Label of what is no object: 0 by default, or one below the lowest class where 0 is a class.
        classes: Labels to draw from; all but the background by default, none where the list is empty.
        class_weights: How likely each class is; without `classes` those of labels 1, 2, 3 ...
        ignore_class: All objects are as likely, whatever their class.
        threshold: Least size of boxes along every axis, or one number for all.
        k_largest: Draw only from so many of the largest boxes: of the class, or of all with `ignore_class`.
        format: "anchor_shape" for start and size, "start_end" for start and end, "box" for these in one array.
        output_class: Return also the label of the object.
        cache_objects: Accepted; objects are found anew each time.
    """
    rows: dict[str, Any] = {
        name: value if value is None or name in _CONSTANTS else np.asarray(value)[None]
        for name, value in vars(objects).items()
    }
    made = whole(
        Pool(1), 1, Samples.wrap_one(mask), objects=Objects(**rows), format=format, output_class=output_class,
        cache_objects=cache_objects, draw=draw,
    )  # fmt: skip
    arrays = [samples.sample(0) for samples in made]
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


@random_object_bbox.on_samples
def whole(
    pool: Pool, n: int, mask: Samples, *, objects: Any, format: str, output_class: bool, cache_objects: bool,
    draw: Draw,
) -> list[Samples]:  # fmt: skip
    _check_weights(objects.classes, objects.class_weights)
    start, end, label = _native.random_objects(
        pool, n, draw, mask, objects.foreground_prob, objects.background, _lists(objects.classes, np.int32),
        _lists(objects.class_weights, np.float32), _least_size(objects.threshold, mask.ndim), objects.k_largest,
        objects.ignore_class,
    )  # fmt: skip
    made = [start, end]
    if format == "anchor_shape":
        made = [start, from_array(end.array() - start.array())]
    elif format == "box":
        made = [from_array(np.hstack([start.array(), end.array()]))]
    return [*made, label] if output_class else made


def _lists(rows: Any, dtype: Any) -> Samples | None:
    return None if rows is None else from_arrays([np.asarray(row, dtype) for row in rows])


def _least_size(rows: Any, ndim: int) -> Samples | None:
    if rows is None:
        return None
    for row in rows:
        if len(row) not in (1, ndim):
            raise RuntimeError(_threshold_mismatch(ndim, len(row)))
    return from_arrays([np.ascontiguousarray(np.broadcast_to(row, ndim), np.int32) for row in rows])
