"""Normalisation by mean and standard deviation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.ops.tensor.averages import (
    averages,
    averages_gpu,
    check_parameters,
    deviation,
    given_values,
    moments_of_batch,
)
from penstock.ops.tensor.axes import named_axes
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int8, int16, int32, uint8, uint16, uint32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
TYPES = (uint8, int8, uint16, int16, uint32, int32, float32)


def _foretell(
    input: Spec,
    *,
    axes: list[int] | None,
    axis_names: str | None,
    batch: bool,
    mean: Any,
    stddev: Any,
    dtype: DType,
    **rest: Any,
) -> Spec:
    assert input.ndim is not None
    assert input.layout is not None
    if input.dtype not in TYPES:
        raise RuntimeError(f"Normalize: unsupported input type: {type_name(input.dtype)}")
    if dtype not in TYPES:
        raise RuntimeError(f"Normalize: unsupported output type: {type_name(dtype)}")
    given = [parameter for parameter in (mean, stddev) if parameter is not None]
    if batch and any(isinstance(parameter, Spec) for parameter in given):
        raise RuntimeError(
            "Normalize: Batch normalization cannot be used with parameters specified as Tensors or Batches"
        )
    if axes is not None and axis_names is not None:
        raise RuntimeError("Normalize: Arguments `axes` and `axis_names` are mutually exclusive")
    if (axes is not None or axis_names is not None) and len(given) == 2 and all(_is_scalar(p) for p in given):
        raise RuntimeError("Normalize: Axes must not be specified when both mean and standard deviation are scalars")
    shapes = [parameter.shape for parameter in given if isinstance(parameter, np.ndarray) and parameter.size > 1]
    _reduced_axes(axes, axis_names, shapes[0] if shapes else (), input.layout, input.ndim)
    return Spec(dtype, input.ndim, input.layout)


def _is_scalar(parameter: Any) -> bool:
    return parameter.ndim == 0 or (isinstance(parameter, np.ndarray) and parameter.size == 1)


def _reduced_axes(
    axes: list[int] | None, axis_names: str | None, shape: tuple[int, ...], layout: str, ndim: int
) -> list[int]:
    """The axes averaged over: those given, those along which a given parameter of `shape` has extent 1, or all."""
    if shape and len(shape) != ndim:
        raise RuntimeError(
            "Normalization parameters' shape must have extent of 1 or one that matches the input: "
            f"{len(shape)} axes for an input of {ndim}"
        )
    if axis_names is not None:
        axes = named_axes(axis_names, layout)
    if axes is None:
        return [axis for axis in range(ndim) if not shape or shape[axis] == 1]
    if not axes:
        raise RuntimeError("Normalize `axes` argument must specify at least one reduction axis.")
    for axis in axes:
        if not 0 <= axis < ndim:
            raise RuntimeError(f"Normalize: axis index {axis} is out of valid range 0..{ndim - 1}")
    if len({*axes}) < len(axes):
        raise RuntimeError(f"Normalize: an axis occurs more than once in {axes}")
    return axes


def _array_shape(*parameters: Any) -> tuple[int, ...]:
    """The shape of the parameters that are not plain numbers, which must agree; () where there are none."""
    shapes = {rows[0].shape for rows in parameters if rows is not None and rows[0].size > 1}
    if len(shapes) > 1:
        raise RuntimeError(
            "Normalize: When providing both `mean` and `stddev`, their shapes must match. Got: "
            + " and ".join(map(str, sorted(shapes)))
        )
    return shapes.pop() if shapes else ()


@operator(infer=_foretell, batchwise=True, normalizes=True)
def normalize(
    input: list[Array],
    *,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    batch: bool = False,
    mean: PerSample[Array] | None = None,
    stddev: PerSample[Array] | None = None,
    ddof: int = 0,
    epsilon: float = 0.0,
    scale: float = 1.0,
    shift: float = 0.0,
    dtype: DType = float32,
    layout: Layout,
) -> list[Array]:
    """Brings samples to a mean of 0 and a standard deviation of 1: scale * (input - mean) / stddev + shift.

        ndd.normalize(spectrograms, axes=[1])
        ndd.normalize(images, axis_names="HW", batch=True)

    A standard deviation of zero gives `shift`.

    Args:
        axes: The axes to average over; all without this and `axis_names`.
        axis_names: The same by name.
        batch: Average over all samples together.
        mean: Used instead of the samples' own mean: a number, or an array with extent 1 along the averaged axes.
        stddev: Used instead of the samples' own standard deviation; likewise.
        ddof: Subtracted from the number of elements when the variance is averaged.
        epsilon: Added to the variance, so that small ones do not blow up the result.
        scale: Factor of the result.
        shift: Added to the result.
        dtype: Element type of the result; integers are rounded and saturated.
    """
    if not input:
        return []
    reduced = tuple(_reduced_axes(axes, axis_names, _array_shape(mean, stddev), layout, input[0].ndim))
    check_parameters([sample.shape for sample in input], reduced, batch, (mean, stddev))
    wide = [sample.astype(np.float64) for sample in input]
    means = given_values(mean, len(wide)) or averages(wide, reduced, batch, 0)
    if stddev is not None:
        deviations = given_values(stddev, len(wide))
        deviations = deviations if epsilon == 0 else [np.sqrt(s * s + epsilon) for s in deviations]
    else:
        squares = [(x - m) ** 2 for x, m in zip(wide, means, strict=True)]
        deviations = [deviation(variance, epsilon) for variance in averages(squares, reduced, batch, ddof)]
    with np.errstate(divide="ignore"):
        inverses = [scale / np.float64(s) for s in deviations]
    return [
        cast_array((x.astype(np.float32) - np.float32(m)) * np.float32(s) + np.float32(shift), dtype)
        for x, m, s in zip(input, means, inverses, strict=True)
    ]


@normalize.native(reads_data=True)
def native(
    input: Spec,
    *,
    axes: list[int] | None,
    axis_names: str | None,
    batch: bool,
    mean: Any,
    stddev: Any,
    ddof: int,
    epsilon: float,
    scale: float,
    shift: float,
    dtype: DType,
    samples: _native.Samples | None = None,
) -> _native.Step | None:
    assert input.ndim is not None
    assert input.layout is not None
    if batch and samples is None:
        return None
    reduced = _reduced_axes(axes, axis_names, _array_shape(mean, stddev), input.layout, input.ndim)
    if batch and samples is not None and len(samples):
        check_parameters(list(samples.shapes()), tuple(reduced), batch, ())
        mean, stddev = moments_of_batch(samples, reduced, mean, stddev, ddof, epsilon)
        epsilon = 0.0
    given = [[] if rows is None else [np.ascontiguousarray(row, np.float32) for row in rows] for rows in (mean, stddev)]
    mask = sum(1 << axis for axis in reduced)
    return _native.Normalize(mask, dtype.code, given[0], given[1], ddof, epsilon, scale, shift)


@normalize.gpu
def gpu(
    input: list[torch.Tensor],
    *,
    axes: list[int] | None,
    axis_names: str | None,
    batch: bool,
    mean: Any,
    stddev: Any,
    ddof: int,
    epsilon: float,
    scale: float,
    shift: float,
    dtype: DType,
    layout: Layout,
) -> list[torch.Tensor]:
    import torch

    if not input:
        return []
    reduced = tuple(_reduced_axes(axes, axis_names, _array_shape(mean, stddev), layout, input[0].ndim))
    check_parameters([tuple(sample.shape) for sample in input], reduced, batch, (mean, stddev))

    def given(rows: Any) -> list[torch.Tensor]:
        each = given_values(rows, len(input))
        return [beside(row.astype(np.float32), input[0]) for row in each]

    real = [as_float32(sample) for sample in input]
    means = given(mean) or averages_gpu(real, reduced, batch, 0)
    if stddev is not None:
        deviations = [s if epsilon == 0 else (s * s + epsilon).sqrt() for s in given(stddev)]
    else:
        squares = [(x - m) ** 2 for x, m in zip(real, means, strict=True)]
        variances = [variance + epsilon for variance in averages_gpu(squares, reduced, batch, ddof)]
        deviations = [torch.where(each == 0, torch.inf, each.sqrt()) for each in variances]
    return [cast_tensor((x - m) * (scale / s) + shift, dtype) for x, m, s in zip(real, means, deviations, strict=True)]


normalize.examples = examples(
    Example("ndd.normalize(image)", compared=True, plain="(image - image.mean()) / image.std()"),
    "ndd.normalize(image, axes=[0, 1])",
    "ndd.normalize(image, axis_names='HW', ddof=1, epsilon=0.5)",
    Example('ndd.normalize(image, axis_names="HW", scale=50.0, shift=128.0, dtype=ndd.uint8)', drawn=True),
    Example("ndd.normalize(line)", plain="(line - line.mean()) / line.std()"),
    within=1e-05,
)
