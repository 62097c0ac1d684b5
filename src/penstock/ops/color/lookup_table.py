"""Values replaced by those of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import by_bits, signed
from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import NUMERIC, DType, float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LARGEST_KEY = 65535


def _foretell(input: Spec, *, keys: list[int], values: list[float], default_value: float, dtype: DType) -> Spec:
    if input.dtype is None or input.dtype.storage.kind not in "iu":
        raise RuntimeError(f"Unsupported input type: {type_name(input.dtype)}; only integers are looked up")
    if dtype not in NUMERIC:
        raise RuntimeError(f"Unsupported output type: {dtype}")
    if len(keys) != len(values):
        raise RuntimeError(f"`keys` size should match `values` size, got {len(keys)} and {len(values)}")
    for key in keys:
        if not 0 <= key <= LARGEST_KEY:
            raise RuntimeError(f"`keys` should be in the range [0, {LARGEST_KEY}], got {key}")
    return input._replace(dtype=dtype)


def _table(keys: list[int], values: list[float], default_value: float, dtype: DType) -> Array:
    """Entries up to the largest key, and one more for all others."""
    table = np.full(max(keys, default=-1) + 2, default_value, np.float32)
    for key, value in zip(keys, values, strict=True):
        table[key] = value
    return cast_array(table, dtype)


@operator(infer=_foretell, renamed={"output_dtype": "dtype"})
def lookup_table(
    input: Array,
    *,
    keys: list[int] = [],  # noqa: B006
    values: list[float] = [],  # noqa: B006
    default_value: float = 0.0,
    dtype: DType = float32,
) -> Array:
    """Replaces every integer by the value that belongs to it.

        ndd.lookup_table(labels, keys=[3, 7], values=[0.5, 1.5], default_value=-1)

    Args:
        keys: Integers from 0 to 65535. Where one occurs several times, its last value counts.
        values: A value for every key.
        default_value: What all other integers are replaced by.
        dtype: Element type of the result; values are rounded and saturated.
    """
    table = _table(keys, values, default_value, dtype)
    last = len(table) - 1
    inside = (input >= 0) & (input < last)
    return table[np.where(inside, input, last).astype(np.int64)]


@lookup_table.native
def native(input: Spec, *, keys: list[int], values: list[float], default_value: float, dtype: DType) -> _native.Step:
    return _native.LookupTable(_table(keys, values, default_value, dtype))


@lookup_table.gpu
def gpu(
    input: torch.Tensor, *, keys: list[int], values: list[float], default_value: float, dtype: DType
) -> torch.Tensor:
    import torch

    table = _table(keys, values, default_value, dtype)
    last = len(table) - 1
    whole = signed(input).to(torch.int64)
    index = torch.where((whole >= 0) & (whole < last), whole, last)
    return by_bits(lambda table: table[index], beside(table, input))


lookup_table.examples = examples(
    "ndd.lookup_table(image)",
    "ndd.lookup_table(image, keys=[1, 3, 200], values=[10.5, -30.5, 1e10], default_value=0.6)",
    Example(
        "ndd.lookup_table(image, keys=range(256), values=[key // 64 * 85 for key in range(256)], dtype=ndd.uint8)",
        drawn=True,
    ),
)
