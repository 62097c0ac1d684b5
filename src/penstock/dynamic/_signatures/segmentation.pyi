"""Signatures of ndd.segmentation. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def random_mask_pixel(
    mask: TensorLike,
    /,
    *,
    foreground: int | Tensor | None = 0,
    threshold: float | Tensor | None = None,
    value: int | Tensor | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws a pixel of a mask, all alike, and tells its indices.

        centres = ndd.segmentation.random_mask_pixel(masks, foreground=1, threshold=0.5)

    Args:
        foreground: Draw from the foreground only, if the mask has any.
        threshold: Pixels above are foreground; 0 by default.
        value: Pixels of this value are, instead.
    """
@overload
def random_mask_pixel(
    mask: Operand,
    /,
    *,
    foreground: int | Tensor | Batch | None = 0,
    threshold: float | Tensor | Batch | None = None,
    value: int | Tensor | Batch | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def random_object_bbox(
    mask: TensorLike,
    /,
    *,
    foreground_prob: float | Tensor | None = 1.0,
    background: int | Tensor | None = None,
    classes: int | Sequence[int] | Array | Tensor | None = None,
    class_weights: float | Sequence[float] | Array | Tensor | None = None,
    ignore_class: bool | None = False,
    threshold: int | Sequence[int] | Array | Tensor | None = None,
    k_largest: int | None = None,
    format: Literal["anchor_shape", "start_end", "box"] | None = "anchor_shape",
    output_class: bool | None = False,
    cache_objects: bool | None = False,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
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
@overload
def random_object_bbox(
    mask: Operand,
    /,
    *,
    foreground_prob: float | Tensor | Batch | None = 1.0,
    background: int | Tensor | Batch | None = None,
    classes: int | Sequence[int] | Array | Tensor | Batch | None = None,
    class_weights: float | Sequence[float] | Array | Tensor | Batch | None = None,
    ignore_class: bool | None = False,
    threshold: int | Sequence[int] | Array | Tensor | Batch | None = None,
    k_largest: int | None = None,
    format: Literal["anchor_shape", "start_end", "box"] | None = "anchor_shape",
    output_class: bool | None = False,
    cache_objects: bool | None = False,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Any: ...

@overload
def select_masks(
    mask_ids: TensorLike,
    polygons: TensorLike,
    vertices: TensorLike,
    /,
    *,
    reindex_masks: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> tuple[Tensor, Tensor]:
    """Keeps the polygons of chosen masks, and the vertices they are made of.

        polygons, vertices = ndd.segmentation.select_masks(mask_ids, polygons, vertices)

    Polygons are rows of three numbers, as the COCO reader gives them: the mask, the first vertex and the one after
    the last. The result has one mask after the other, in the order they are asked for, and the vertices likewise.

    Args:
        mask_ids: The masks to keep, each named once.
        polygons: The polygons of all masks. A mask may have several.
        vertices: A vertex in every row.
        reindex_masks: Call masks 0, 1, 2 ... in the order they are asked for.
    """
@overload
def select_masks(
    mask_ids: Operand,
    polygons: Operand,
    vertices: Operand,
    /,
    *,
    reindex_masks: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, Batch]: ...
