"""Permuting axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import by_bits
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _order(perm: list[int] | None, output_layout: str | None, layout: str, ndim: int) -> list[int]:
    """Axis k of the result is axis [k] of the input."""
    if perm is not None:
        return perm
    if output_layout and sorted(output_layout) == sorted(layout):
        return [layout.index(name) for name in output_layout]
    return list(range(ndim))[::-1]


def _foretell(input: Spec, *, perm: list[int] | None, output_layout: str | None, transpose_layout: bool) -> Spec:
    layout, ndim = input.layout, input.ndim
    assert layout is not None
    assert ndim is not None
    if perm is not None:
        if sorted(perm) != list(range(len(perm))):
            raise RuntimeError(f"Invalid permutation: sorted `perm` is not equal to [0, ..., n-1]. Got: {perm}")
        if len(perm) != ndim:
            raise RuntimeError(
                f"Input has different dimensionality ({ndim}) than the length of the permutation ({len(perm)})"
            )
    if output_layout is not None:
        if len(output_layout) != ndim or not output_layout:
            raise RuntimeError(f"output_layout {output_layout!r} does not name the {ndim} axes of the result")
        return input._replace(layout=output_layout)
    if not transpose_layout or not layout:
        return input
    return input._replace(layout="".join(layout[axis] for axis in _order(perm, None, layout, ndim)))


@operator(infer=_foretell)
def transpose(
    input: Array,
    *,
    perm: list[int] | None = None,
    output_layout: str | None = None,
    transpose_layout: bool = True,
    layout: Layout,
) -> Array:
    """Permutes the axes.

        ndd.transpose(images, perm=[2, 0, 1])
        ndd.transpose(images, output_layout="CHW")

    Args:
        perm: For every axis of the result, which axis of the input it is. Without it the axes come in the order of
            `output_layout` where that names the input's axes, else in reverse.
        output_layout: Layout of the result.
        transpose_layout: Permute the layout with the axes; otherwise it stays as it is.
    """
    return np.ascontiguousarray(input.transpose(_order(perm, output_layout, layout, input.ndim)))


@transpose.native
def native(input: Spec, *, perm: list[int] | None, output_layout: str | None, transpose_layout: bool) -> _native.Step:
    assert input.layout is not None
    assert input.ndim is not None
    return _native.Transpose(_order(perm, output_layout, input.layout, input.ndim))


@transpose.gpu
def gpu(
    input: torch.Tensor,
    *,
    perm: list[int] | None,
    output_layout: str | None,
    transpose_layout: bool,
    layout: Layout,
) -> torch.Tensor:
    order = _order(perm, output_layout, layout, input.ndim - 1)
    return by_bits(lambda input: input.permute(0, *(1 + axis for axis in order)).contiguous(), input)


transpose.examples = examples(
    Example(
        "ndd.transpose(image, perm=[2, 0, 1])", compared=True, plain="np.ascontiguousarray(image.transpose(2, 0, 1))"
    ),
    Example('ndd.transpose(image, output_layout="WHC")', drawn=True),
)
