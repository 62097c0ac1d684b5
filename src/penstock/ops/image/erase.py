"""Erasing regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import beside, dtype_of
from penstock.ops.image.extraction import truncated
from penstock.ops.image.regions import counted
from penstock.ops.names import type_name
from penstock.ops.tensor.axes import counted_axes, named_axes
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import DType, bool_, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, anchor: Any, shape: Any, axes: Any, axis_names: Any, **rest: Any) -> Spec:
    assert input.layout is not None
    assert input.ndim is not None
    if input.dtype in (float64, bool_):
        raise RuntimeError(f"Unsupported data type: {type_name(input.dtype)}")
    if not input.ndim:
        raise RuntimeError("Unsupported number of dimensions 0")
    if rest["normalized"] and (rest["normalized_anchor"] is not None or rest["normalized_shape"] is not None):
        raise RuntimeError(
            "`normalized` argument is incompatible with providing a separate value for `normalized_anchor` and "
            "`normalized_shape`"
        )
    if isinstance(anchor, list) and isinstance(shape, list) and not (anchor or shape):
        return input
    count = len(_axes(axes, axis_names, input.layout, input.ndim))
    if isinstance(anchor, list) and isinstance(shape, list):
        _check_regions(len(anchor or shape), len(shape), count)
    fill = rest["fill_value"]
    if isinstance(fill, list) and len(fill) > 1:
        _channel_axis(input.layout, len(fill))
    return input


def _axes(axes: list[int] | None, axis_names: str | None, layout: str, ndim: int) -> list[int]:
    """The axes regions are bounded along, in the order their bounds are given."""
    if axes and axis_names is None:
        return counted_axes(axes, ndim)
    if not layout:
        raise RuntimeError("the axes of an input without a layout have no names; give it one, or give `axes`")
    return named_axes(axis_names or layout.replace("C", ""), layout)


def _from_the_origin(anchors: Any, shapes: Any) -> Any:
    """Rows of anchors, of which those without any are as many zeros as there are extents."""
    if all(np.size(row) for row in anchors):
        return anchors
    pairs = ((anchors[k % len(anchors)], shapes[k % len(shapes)]) for k in range(max(len(anchors), len(shapes))))
    return [np.asarray(row if np.size(row) else np.zeros(np.size(shape)), np.float32) for row, shape in pairs]


def _check_regions(anchors: int, shapes: int, axes: int) -> None:
    if anchors != shapes or anchors % axes:
        raise RuntimeError(
            f"`anchor` and `shape` need a value for every region and axis, got {anchors} and {shapes} for {axes} axes"
        )


def _channel_axis(layout: str, values: int) -> int:
    """Where the channels are, for fill values of their own; -1 where there is one value for all."""
    if values > 1 and "C" not in layout:
        raise RuntimeError("If a multi channel fill value is provided, the input layout must have a 'C' dimension")
    return layout.index("C") if values > 1 else -1


@operator(infer=_foretell)
def erase(
    input: Array,
    *,
    anchor: PerSample[list[float]] = [],  # noqa: B006
    shape: PerSample[list[float]] = [],  # noqa: B006
    axes: list[int] | None = None,
    axis_names: str | None = None,
    fill_value: PerSample[list[float]] = [0.0],  # noqa: B006
    centered_anchor: bool = False,
    normalized: bool = False,
    normalized_anchor: bool | None = None,
    normalized_shape: bool | None = None,
    layout: Layout,
) -> Array:
    """Overwrites rectangular regions with a constant.

        ndd.erase(images, anchor=[10, 20], shape=[50, 40])
        ndd.erase(images, anchor=[0.1, 0.1, 0.6, 0.6], shape=[0.2, 0.2, 0.3, 0.3], normalized=True, fill_value=128)

    Args:
        anchor: Where the regions begin, one region after the other with a value for each of the axes; at the origin
            without it.
        shape: Their extents, in the same order. What lies outside the input is ignored.
        axes: The axes that `anchor` and `shape` are about.
        axis_names: The same by name; all but the channels without both, in the order of the layout. Regions reach over
            the whole of all other axes.
        fill_value: What the regions hold: one value, or one for every channel.
        centered_anchor: The anchors are the middles of the regions.
        normalized: `anchor` and `shape` are fractions of the input's extents.
        normalized_anchor: Only `anchor` is.
        normalized_shape: Only `shape` is.
    """
    result = input.copy()
    relative = (normalized or bool(normalized_anchor), normalized or bool(normalized_shape))
    boxes = _boxes(input.shape, anchor, shape, axes, axis_names, relative, centered_anchor, layout)
    if boxes:
        values = _filling(DType.by_numpy[input.dtype], input.shape, fill_value, layout)
        filled = np.broadcast_to(values, input.shape)
        for box in boxes:
            result[box] = filled[box]
    return result


def _boxes(
    extent: tuple[int, ...],
    anchor: Any,
    shape: Any,
    axes: list[int] | None,
    axis_names: str | None,
    relative: tuple[bool, bool],
    centered: bool,
    layout: str,
) -> list[tuple[slice, ...]]:
    """The regions of one sample of that extent; `relative` tells whether anchors and shapes are fractions of it."""
    (anchor,) = _from_the_origin([anchor], [shape])
    bounds = {"anchor": np.ravel(anchor).astype(np.float32), "shape": np.ravel(shape).astype(np.float32)}
    if not any(values.size for values in bounds.values()):
        return []
    chosen = _axes(axes, axis_names, layout, len(extent))
    _check_regions(bounds["anchor"].size, bounds["shape"].size, len(chosen))
    extents = np.array([extent[axis] for axis in chosen], np.float32)
    starts, sizes = (values.reshape(-1, len(chosen)) for values in bounds.values())
    starts = starts * extents if relative[0] else starts
    sizes = sizes * extents if relative[1] else sizes
    if centered:
        starts = starts - sizes * np.float32(0.5)
    boxes = []
    for lows, highs in zip(_whole(starts, extents).tolist(), _whole(starts + sizes, extents).tolist(), strict=True):
        box = [slice(None)] * len(extent)
        for axis, low, high in zip(chosen, lows, highs, strict=True):
            box[axis] = slice(low, max(low, high))
        boxes.append(tuple(box))
    return boxes


def _whole(values: Array, extents: Array) -> Array:
    """Bounds cut off to whole positions inside the axes."""
    return np.asarray(np.clip(np.nan_to_num(values, nan=0), 0, extents).astype(np.int64))


def _filling(dtype: DType, shape: tuple[int, ...], fill_value: list[float], layout: str) -> Array:
    """What regions hold, in a shape that broadcasts to the input's."""
    values = truncated(np.asarray(fill_value if len(fill_value) else [0], np.float32), dtype)
    channel = _channel_axis(layout, len(values))
    if len(values) == 1:
        return values
    if len(values) != shape[channel]:
        raise RuntimeError(
            f"Multi-channel fill value does not match the number of channels in the input: {len(values)} values "
            f"for {shape[channel]} channels"
        )
    return values.reshape([-1 if axis == channel else 1 for axis in range(len(shape))])


@erase.native
def native(
    input: Spec,
    *,
    anchor: Any,
    shape: Any,
    axes: list[int] | None,
    axis_names: str | None,
    fill_value: Any,
    centered_anchor: bool,
    normalized: bool,
    normalized_anchor: bool | None,
    normalized_shape: bool | None,
) -> _native.Step | None:
    assert input.layout is not None
    assert input.ndim is not None
    if isinstance(fill_value, list):
        return None
    fill = fill_value if fill_value.shape[1] else np.zeros((1, 1), np.float32)
    erases = any(np.size(row) for rows in (anchor, shape) for row in rows)
    return _native.Erase(
        _axes(axes, axis_names, input.layout, input.ndim) if erases else [0],
        *counted(_from_the_origin(anchor, shape), np.float32),
        *counted(shape, np.float32),
        normalized or bool(normalized_anchor),
        normalized or bool(normalized_shape),
        centered_anchor,
        np.ascontiguousarray(fill, np.float32),
        _channel_axis(input.layout, fill.shape[1]),
    )


@erase.gpu
def gpu(
    input: torch.Tensor,
    *,
    anchor: Any,
    shape: Any,
    axes: list[int] | None,
    axis_names: str | None,
    fill_value: Any,
    centered_anchor: bool,
    normalized: bool,
    normalized_anchor: bool | None,
    normalized_shape: bool | None,
    layout: Layout,
) -> torch.Tensor:
    result, extent = input.clone(), tuple(input.shape[1:])
    relative = (normalized or bool(normalized_anchor), normalized or bool(normalized_shape))
    boxes = _boxes(extent, anchor, shape, axes, axis_names, relative, centered_anchor, layout)
    if boxes:
        filled = beside(_filling(dtype_of(input), extent, fill_value, layout), input).expand(extent)
        for box in boxes:
            result[(slice(None), *box)] = filled[box]
    return result


erase.examples = examples(
    "ndd.erase(image, anchor=[5, 7], shape=[20, 11])",
    "ndd.erase(image, anchor=[5, 7, 30, 2], shape=[20, 11, 8, 50], fill_value=200)",
    "ndd.erase(image, anchor=[5, 7], shape=[20, 11], axes=[1, 0])",
    "ndd.erase(image, anchor=[7, 5], shape=[11, 20], axis_names='WH', axes=[0, 1])",
    "ndd.erase(image, anchor=[0.3, 0.7], shape=[0.2, 0.1], normalized=True)",
    Example(
        "ndd.erase(image, anchor=[30, 40, 100, 150], shape=[60, 80, 50, 60], fill_value=[200, 40, 40])", drawn=True
    ),
    Example(
        "ndd.erase(image, anchor=[50, 60], shape=[200, 300], fill_value=[7, 8, 9])",
        plain="cv2.rectangle(image.copy(), (60, 50), (359, 249), (7, 8, 9), cv2.FILLED)",
    ),
)
