"""Affine maps of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import as_float32, cast_tensor
from penstock.gpu.types import beside, dtype_of
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, int32, uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]

_TYPES = (uint8, uint16, int16, int32, float32)
_NO_SHIFT = np.zeros((1, 1), np.float32)


def _foretell(input: Spec, *, M: Any, MT: Any, T: Any, dtype: DType) -> Spec:  # noqa: N803
    if dtype not in (input.dtype, float32):
        raise RuntimeError(
            f"CoordTransform output type must be the same as input type, which is {type_name(input.dtype)}, or "
            f"`float`. Got: {type_name(dtype)}"
        )
    if input.ndim is None or input.ndim < 2:
        raise RuntimeError(f"CoordTransform expects an input with at least 2 dimensions, got {input.ndim}")
    if MT is not None and (M is not None or T is not None):
        raise RuntimeError("The combined ``MT`` argument cannot be used together with separate ``M``, ``T`` arguments.")
    for name, value, most in (("M", M, 2), ("MT", MT, 2), ("T", T, 1)):
        if value is not None and value.ndim is not None and value.ndim > most:
            raise RuntimeError(f"{name} has at most {most} dimensions, got {value.ndim}")
    return Spec(dtype, input.ndim, input.layout)


@operator(infer=_foretell, still=True)
def coord_transform(
    input: Array,
    *,
    M: PerSample[Array] | None = None,  # noqa: N803
    T: PerSample[Array] | None = None,  # noqa: N803
    MT: PerSample[Array] | None = None,  # noqa: N803
    dtype: DType = float32,
) -> Array:
    """Applies an affine map to points: M p + T for each row p of coordinates.

        ndd.coord_transform(landmarks, M=[0, 1, 1, 0], T=[10, 20])
        ndd.coord_transform(landmarks, MT=ndd.transforms.rotation(angle=30, center=[320, 240]))

    Args:
        M: The matrix, with a column for each coordinate; also as a flat list row by row. A single number scales.
        T: What is added: a number, or one for each coordinate of the result.
        MT: Both as one matrix with T as its last column.
        dtype: Element type of the result: float32 or that of the input, rounded and saturated.
    """
    _check_type(DType.by_numpy[input.dtype], input.size)
    points = input.astype(np.float32)
    factor, matrix, shift = _parts(input.shape[-1], M, T, MT)
    moved = points * factor if matrix is None else points @ matrix.T
    return cast_array(moved if shift is None else moved + shift, dtype)


def _check_type(dtype: DType, size: int) -> None:
    if size and dtype not in _TYPES:
        raise RuntimeError(f"Unsupported input type: {type_name(dtype)}")


def _parts(
    dims: int,
    M: Array | None,  # noqa: N803
    T: Array | None,  # noqa: N803
    MT: Array | None,  # noqa: N803
) -> tuple[np.float32, Array | None, Array | None]:
    """A factor, or a matrix instead, and what is added to points of that many coordinates; one sample's arguments."""
    given = M if MT is None else MT
    factor, matrix, shift, rows = np.float32(1), None, T, dims
    if given is not None and given.size == 1:
        factor = np.float32(given.reshape(()))
    elif given is not None:
        if not dims:
            raise RuntimeError("a matrix maps points of at least one coordinate, got none")
        columns = dims if MT is None else dims + 1
        if (given.shape[1] != columns) if given.ndim == 2 else given.size % columns or not given.size:
            raise RuntimeError(
                f"points of {dims} coordinates need a matrix of {columns} columns; got one of shape {given.shape}"
            )
        whole = given.reshape(-1, columns)
        matrix, rows = whole[:, :dims], len(whole)
        shift = whole[:, dims] if MT is not None else T
    if shift is not None and shift.size not in (1, rows):
        raise RuntimeError(f"Expected {rows}-D translation vectors, got {shift.size}-D")
    return factor, matrix, None if shift is None else shift.reshape(-1)


@coord_transform.native
def native(input: Spec, *, M: Any, T: Any, MT: Any, dtype: DType) -> _native.Step | None:  # noqa: N803
    given = M if MT is None else MT
    if isinstance(given, list) or isinstance(T, list) or input.dtype not in _TYPES:
        return None  # of other types there are empty arrays, which have no points to map
    shift = _NO_SHIFT if T is None else T.reshape(len(T), -1)
    if given is None or given[0].size == 1:
        factor = np.ones((1, 1), np.float32) if given is None else given.reshape(-1, 1)
        return _native.ScalePoints(factor, shift, False, dtype.code)
    columns = given.shape[2] if given.ndim == 3 else 0
    return _native.MapPoints(given.reshape(len(given), -1), columns, MT is not None, shift, dtype.code)


@coord_transform.gpu
def gpu(input: torch.Tensor, *, M: Any, T: Any, MT: Any, dtype: DType) -> torch.Tensor:  # noqa: N803
    _check_type(dtype_of(input), input.numel())
    points = as_float32(input)
    factor, matrix, shift = _parts(input.shape[-1], M, T, MT)
    if matrix is None:
        moved = points * float(factor)
    else:
        columns = beside(np.ascontiguousarray(matrix.T, np.float32), input)
        moved = points[..., :1] * columns[0]
        for k in range(1, len(columns)):
            moved = moved + points[..., k : k + 1] * columns[k]
    return cast_tensor(moved if shift is None else moved + beside(shift.astype(np.float32), input), dtype)
