"""What the operators that move images by a matrix share: size, filter, border and type of their result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import dtype_of
from penstock.ops.names import type_name
from penstock.ops.warp import lookup
from penstock.schema import PerSample
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, int32, uint8
from penstock.values.enums import InterpType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC", "FHWC", "DHWC", "FDHWC")
TYPES = (uint8, int16, int32, float32)


@dataclass
class Canvas:
    """The result of a warp."""

    size: PerSample[list[float]] | None = None
    interp_type: InterpType = InterpType.INTERP_LINEAR
    fill_value: float | None = None
    dtype: DType | None = None

    def result(self, image: Spec) -> Spec:
        """The spec of the result; refuses what no kernel does."""
        lookup.check_filter(self.interp_type)
        if isinstance(self.size, list):
            sizes_of([self.size], axes_of(image))
        return Spec(self.result_type(image), image.ndim, image.layout)

    def result_type(self, image: Spec) -> DType:
        given, wanted = image.dtype, self.dtype or image.dtype
        if given not in TYPES or wanted not in TYPES or (given != wanted and float32 not in (given, wanted)):
            raise RuntimeError(
                f"Unsupported input/output types for the operator: {type_name(given)} -> {type_name(wanted)}."
            )
        assert wanted is not None
        return wanted

    def options(self, image: Spec) -> _native.WarpOptions:
        """What the native step is told, from per-sample rows."""
        assert image.dtype is not None
        fill = self.fill(image.dtype)
        return _native.WarpOptions(
            self.result_type(image).code,
            self.interp_type,
            _native.Border.edge if fill is None else _native.Border.pad,
            [0.0 if fill is None else fill],
            sizes_of(self.size, axes_of(image)),
            2,
        )

    def fill(self, dtype: DType) -> float | None:
        """The fill value as a pixel of the image; None where the edge goes on instead."""
        if self.fill_value is None:
            return None
        return float(cast_array(np.array([self.fill_value], np.float32), dtype)[0])

    def extents(self, axes: int) -> list[int] | None:
        """The size asked for along so many axes, if any; one sample's arguments."""
        sizes = sizes_of(None if self.size is None else [self.size], axes)
        return None if sizes is None else [int(n) for n in sizes[0]]

    def look_up(self, image: Array, places: list[Array]) -> Array:
        dtype = DType.by_numpy[image.dtype]
        fill = self.fill(dtype)
        border: lookup.Border = "edge" if fill is None else "pad"
        return lookup.look_up(image, places, self.interp_type, border, fill, self.dtype or dtype)

    def look_up_gpu(self, image: torch.Tensor, places: list[torch.Tensor]) -> torch.Tensor:
        dtype = dtype_of(image)
        fill = self.fill(dtype)
        border: lookup.Border = "edge" if fill is None else "pad"
        return lookup.look_up_gpu(image, places, self.interp_type, border, fill, self.dtype or dtype)


def axes_of(image: Spec) -> int:
    """Across how many axes the image or volume extends."""
    assert image.layout is not None
    return sum(name in "DHW" for name in image.layout)


def sizes_of(rows: Any, axes: int) -> Array | None:
    """Rows of whole extents; None where no size is asked for."""
    sizes = None if rows is None else stacked("size", rows)
    if sizes is None or sizes.shape[1] == 0:
        return None
    if sizes.shape[1] != axes:
        raise RuntimeError(f"`size` needs {axes} numbers, one for every axis but the channels; got {sizes.shape[1]}")
    for wrong in sizes[~((sizes >= 0) & (sizes < 2**31))]:
        raise RuntimeError(f"`size` must not be negative or above 2147483647, got {wrong:g}")
    return np.ascontiguousarray(np.floor(sizes + 0.5), np.int64)


def stacked(name: str, rows: Any) -> Array:
    """Per-sample rows as one array, a row each."""
    try:
        array = np.asarray(rows, np.float32)
    except ValueError:
        raise RuntimeError(f"`{name}` needs the same number of values for every sample") from None
    return np.ascontiguousarray(array.reshape(len(array), -1))


def matrices_of(rows: Any, shape: tuple[int, int]) -> Array:
    """Rows of the numbers of a matrix each."""
    flat = stacked("matrix", rows)
    if flat.shape[1] != shape[0] * shape[1]:
        raise RuntimeError(
            f"`matrix` parameter must have {shape[0] * shape[1]} elements, {shape[0]} rows of {shape[1]}; "
            f"got {flat.shape[1]}"
        )
    return flat


def inverted(matrices: Array, shape: tuple[int, int]) -> Array:
    """The same rows of numbers for the opposite way."""
    rank = shape[1]
    whole = np.zeros((len(matrices), rank, rank))
    whole[:, -1, -1] = 1
    whole[:, : shape[0]] = matrices.reshape(-1, *shape)
    try:
        inverse = np.linalg.inv(whole)
    except np.linalg.LinAlgError:
        raise ValueError("Cannot calculate the inverse of a singular matrix.") from None
    return np.ascontiguousarray(inverse[:, : shape[0]].reshape(len(matrices), -1), np.float32)


def matrix_rows(matrix: Any, others: Sequence[_native.Samples], shape: tuple[int, int], inverse_map: bool) -> Array:
    """The matrices of a batch, from the second input or the argument, as they go from the result to the image."""
    rows = [samples.sample(i) for samples in others for i in range(len(samples))] or matrix
    matrices = matrices_of(rows, shape)
    return matrices if inverse_map else inverted(matrices, shape)
