"""Conversion of the element type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import cast_tensor
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import NUMERIC, DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def cast_spec(input: Spec, dtype: DType | None) -> Spec:
    """What a cast makes of `input`. Members of enumerations are whole numbers, and become nothing else."""
    kinds = {each.kind for each in (input.dtype, dtype) if each is not None}
    if kinds == {DType.Kind.enum, DType.Kind.float}:
        raise RuntimeError(
            f"Cannot cast from {type_name(input.dtype)} to {type_name(dtype)}. Enums can only participate in casts "
            "with integral types, but not floating point types."
        )
    if dtype not in NUMERIC:
        raise RuntimeError(f"Invalid output type: {dtype}")
    return Spec(dtype, input.ndim, input.layout)


def _foretell(input: Spec, *, dtype: DType) -> Spec:
    return cast_spec(input, dtype)


@operator(infer=_foretell, numbers_only=False)
def cast(input: Array, *, dtype: DType) -> Array:
    """Converts the elements to another type.

        ndd.cast(images, dtype=ndd.float32)

    Floats become integers by rounding, halves away from zero, and values beyond the range of the type become its
    limits; NaN becomes the lowest integer. To bool, a value is true where it does not round to zero.

    Args:
        dtype: The type to convert to.
    """
    return cast_array(input, dtype)


@cast.native
def native(input: Spec, *, dtype: DType) -> _native.Step:
    return _native.Cast(dtype.code)


@cast.gpu
def gpu(input: torch.Tensor, *, dtype: DType) -> torch.Tensor:
    return cast_tensor(input, dtype)


cast.examples = examples(
    Example("ndd.cast(image, dtype=ndd.float32)", plain="image.astype(np.float32)"),
    Example("ndd.cast(line, dtype=ndd.int32)", plain="np.rint(line).astype(np.int32)"),
    Example("ndd.cast(line, dtype=ndd.uint8)", plain="np.rint(line).astype(np.uint8)"),
    Example("ndd.cast(line, dtype=ndd.float64)", plain="line.astype(np.float64)"),
    Example("ndd.cast(line, dtype=ndd.float16)", plain="line.astype(np.float16)"),
    Example("ndd.cast(scalars, dtype=ndd.int32)", timed=True),
)
