"""Arrays joined along an axis they have, or along a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import by_bits
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _check_alike(inputs: tuple[Spec, ...]) -> None:
    for k, spec in enumerate(inputs):
        if (spec.dtype, spec.ndim) != (inputs[0].dtype, inputs[0].ndim):
            first, other = (f"{type_name(each.dtype)}, {each.ndim}-D" for each in (inputs[0], spec))
            raise RuntimeError(
                f"All inputs must have the same type and number of dimensions. Input 0 is {first}, input {k} is {other}"
            )


def _check_name(axis_name: str | None) -> None:
    if axis_name is not None and len(axis_name) != 1:
        raise RuntimeError(f"``axis_name`` must be a single character; got {axis_name!r}")


def _joined_axis(axis: int | None, axis_name: str | None, layout: str, ndim: int) -> int:
    """Which axis of the inputs `cat` joins."""
    if axis is not None and axis_name is not None:
        raise RuntimeError("Arguments ``axis`` and ``axis_name`` cannot be used together.")
    _check_name(axis_name)
    if axis_name is None:
        return _counted(axis or 0, ndim, ndim - 1)
    if axis_name not in layout:
        raise RuntimeError(f'``axis_name`` specifies an undefined axis {axis_name!r} for layout "{layout}"')
    return layout.index(axis_name)


def _counted(axis: int, ndim: int, highest: int) -> int:
    if not -ndim <= axis <= highest:
        raise RuntimeError(
            f"Invalid axis argument, {axis} for {ndim}-D tensors. Accepted range is [{-ndim}, {highest}], with "
            "negative indices being counted from the back."
        )
    return axis if axis >= 0 else axis + highest + 1


def _foretell_cat(*inputs: Spec, axis: int | None, axis_name: str | None) -> Spec:
    first = inputs[0]
    assert first.ndim is not None
    assert first.layout is not None
    _check_alike(inputs)
    _joined_axis(axis, axis_name, first.layout, first.ndim)
    return first


@operator(infer=_foretell_cat, numbers_only=False)
def cat(first: Array, *others: Array, axis: int | None = None, axis_name: str | None = None, layout: Layout) -> Array:
    """Joins arrays along an axis they have.

        ndd.cat(left, right, axis_name="W")

    They may differ in their extent along that axis only. The layout is that of the first.

    Args:
        axis: Which axis; 0 by default, negative numbers count from the last one.
        axis_name: Its name in the layout of the first input, instead.
    """
    return np.concatenate([first, *others], axis=_joined_axis(axis, axis_name, layout, first.ndim))


@cat.on_samples
def joined(pool: Pool, n: int, *inputs: Samples, axis: int | None, axis_name: str | None) -> Samples:
    first = inputs[0]
    if len(inputs) == 1 and len(first) == n:
        return first.relabelled(first.layout)
    return _native.join(pool, n, inputs, _joined_axis(axis, axis_name, first.layout, first.ndim), False)


@cat.gpu
def cat_gpu(
    first: torch.Tensor, *others: torch.Tensor, axis: int | None, axis_name: str | None, layout: Layout
) -> torch.Tensor:
    import torch

    place = _joined_axis(axis, axis_name, layout, first.ndim - 1)
    _check_shapes(
        [first, *others], f"Concatenated tensors can differ in size only in the concatenation axis ({place})", place
    )
    return by_bits(lambda *each: torch.cat(each, 1 + place), first, *others)


def _check_shapes(joined: list[torch.Tensor], refusal: str, axis: int | None = None) -> None:
    """Refuses samples under a leading axis that differ in their extents, but for that along an axis."""
    shapes = [tuple(each.shape[1:]) for each in joined]
    for k, shape in enumerate(shapes):
        if any(a != b and place != axis for place, (a, b) in enumerate(zip(shape, shapes[0], strict=True))):
            own, first = ("{" + " x ".join(map(str, each)) + "}" for each in (shape, shapes[0]))
            raise RuntimeError(f"{refusal}: input {k} has shape {own}, input 0 {first}")


def _foretell_stack(*inputs: Spec, axis: int, axis_name: str | None) -> Spec:
    first = inputs[0]
    assert first.ndim is not None
    assert first.layout is not None
    _check_alike(inputs)
    _check_name(axis_name)
    place = _counted(axis, first.ndim, first.ndim)
    if axis_name is None:
        return Spec(first.dtype, first.ndim + 1, "")
    if first.ndim and not first.layout:
        raise RuntimeError("``axis_name`` needs an input with a layout, to name the other axes of the result.")
    return Spec(first.dtype, first.ndim + 1, first.layout[:place] + axis_name + first.layout[place:])


@operator(infer=_foretell_stack, numbers_only=False)
def stack(first: Array, *others: Array, axis: int = 0, axis_name: str | None = None) -> Array:
    """Joins arrays of equal shape along a new axis.

        ndd.stack(red, green, blue, axis=-1, axis_name="C")

    Args:
        axis: Where the new axis is in the result; negative numbers count from its last axis.
        axis_name: What the layout calls it. Without it the result has no layout.
    """
    return np.stack([first, *others], axis=_counted(axis, first.ndim, first.ndim))


@stack.on_samples
def stacked(pool: Pool, n: int, *inputs: Samples, axis: int, axis_name: str | None) -> Samples:
    ndim = inputs[0].ndim
    return _native.join(pool, n, inputs, _counted(axis, ndim, ndim), True)


@stack.gpu
def stack_gpu(first: torch.Tensor, *others: torch.Tensor, axis: int, axis_name: str | None) -> torch.Tensor:
    import torch

    place = _counted(axis, first.ndim - 1, first.ndim - 1)
    _check_shapes([first, *others], "Tensor stacking requires that all tensors being stacked are of equal shape")
    return by_bits(lambda *each: torch.stack(each, 1 + place), first, *others)


cat.examples = examples(
    Example("ndd.cat(image, image)", plain="np.concatenate([image, image])"),
    Example("ndd.cat(image, image, axis=1)", plain="np.concatenate([image, image], axis=1)"),
)

stack.examples = examples(
    Example("ndd.stack(image, image)", plain="np.stack([image, image])"),
    Example("ndd.stack(image, image, axis=-1)", plain="np.stack([image, image], axis=-1)"),
    Example("ndd.stack(scalars, scalars)", timed=True),
)
