"""`ndd.show` and `ndd.save_sheet`: contact sheets of samples, with labels, boxes and masks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from penstock.dynamic.values.construct import as_batch, as_tensor
from penstock.dynamic.values.pictures import SHOWN_SAMPLES, sheet_of
from penstock.dynamic.values.value import Value
from penstock.values.samples import arrays_of

if TYPE_CHECKING:
    from penstock.viz.sheet import Sheet

_AXES_OF_A_BATCH = 4  # of an array: fewer are one image


def show(
    images: Any,
    *,
    boxes: Any = None,
    labels: Any = None,
    masks: Any = None,
    class_names: Sequence[str] | None = None,
    bbox_layout: str = "xyXY",
    relative: bool | None = None,
    count: int = SHOWN_SAMPLES,
    columns: int | None = None,
) -> Sheet:
    """Shows samples as a contact sheet, with labels below, boxes and masks drawn over them.

    Images, frames of sequences, sound, spectrograms and encoded files become pictures; whatever is not computed yet is.
    Images that `crop_mirror_normalize` or `normalize` made, with mean and deviation given as numbers, are shown with
    the colours they had before; other floats as they are from 0 to 1 or from 0 to 255, else stretched from black to
    white. Notebooks show the result; elsewhere its `save` writes it.

    Example:
        >>> ndd.show(images, labels=labels, class_names=reader.classes)
        >>> ndd.show(images, boxes=boxes, labels=ids).save("boxes.png")

    Args:
        images: A Tensor, a Batch, or what can be made one of them.
        boxes: Of each sample, an array of shape (n, 4).
        labels: Of each sample a number or a string, or one for each of its boxes.
        masks: Of each sample a number for each pixel, 0 where there is nothing; or a mask for each of its objects.
        class_names: Words for labels that are numbers.
        bbox_layout: "xyXY" for left, top, right, bottom; "xyWH" for left, top, width, height.
        relative: Whether boxes are shares of width and height, not pixels. By default they are where none exceeds 1.
        count: The largest number of samples; what is beyond is only counted.
        columns: How many samples are in a row; by default as many as fit.
    """
    value = _as_value(images)
    given = {"boxes": boxes, "labels": labels, "masks": masks}
    return sheet_of(
        value,
        count,
        **{name: None if each is None else _first(each, count, value._is_batch) for name, each in given.items()},
        class_names=class_names,
        bbox_layout=bbox_layout,
        relative=relative,
        columns=columns,
    )


def save_sheet(path: str | os.PathLike[str], images: Any, **options: Any) -> None:
    """Writes samples as a contact sheet: a picture (.png, .jpg, .webp) or a page that needs no other file (.html).

    Example:
        >>> ndd.save_sheet("batch.png", images, labels=labels)

    Args:
        path: The file; its suffix tells what is written.
        images: As in `ndd.show`.
        options: The other arguments of `ndd.show`.
    """
    show(images, **options).save(path)


def _as_value(images: Any) -> Value:
    if isinstance(images, Value):
        return images
    axes = getattr(images, "ndim", None)
    if isinstance(images, (list, tuple)) or (axes is not None and axes >= _AXES_OF_A_BATCH):
        return as_batch(images)
    return as_tensor(images)


def _first(given: Any, count: int, of_batch: bool) -> list[Any]:
    """What belongs to each of the first `count` samples."""
    if isinstance(given, Value):
        return arrays_of(given._resolve().host())[:count]
    if not of_batch:
        return [given]
    return [each._resolve().host().sample(0) if isinstance(each, Value) else each for each in given][:count]
