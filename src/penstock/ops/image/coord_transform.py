"""Affine maps of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import PerSample, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, int32, uint8, uint16
from penstock.values.spec import Spec

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
    if input.size and DType.by_numpy[input.dtype] not in _TYPES:
        raise RuntimeError(f"Unsupported input type: {type_name(DType.by_numpy[input.dtype])}")
    dims = input.shape[-1]
    points = input.astype(np.float32)
    given = M if MT is None else MT
    if given is None or given.size == 1:
        moved = points if given is None else points * given.reshape(())
    else:
        if not dims:
            raise RuntimeError("a matrix maps points of at least one coordinate, got none")
        columns = dims if MT is None else dims + 1
        if (given.shape[1] != columns) if given.ndim == 2 else given.size % columns or not given.size:
            raise RuntimeError(
                f"points of {dims} coordinates need a matrix of {columns} columns; got one of shape {given.shape}"
            )
        matrix = given.reshape(-1, columns)
        moved = points @ matrix[:, :dims].T
        T = matrix[:, dims] if MT is not None else T  # noqa: N806
    if T is not None:
        if T.size not in (1, moved.shape[-1]):
            raise RuntimeError(f"Expected {moved.shape[-1]}-D translation vectors, got {T.size}-D")
        moved = moved + T.reshape(-1)
    return cast_array(moved, dtype)


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
