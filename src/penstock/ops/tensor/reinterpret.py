"""The same bytes as elements of another type."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.ops.tensor.reshape import foretell_reshaped, new_shape, seen_as
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import NUMERIC, DType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, *shape_input: Spec, dtype: DType | None, **ways: Any) -> Spec:
    if dtype is None and not shape_input and all(way is None for way in ways.values()):
        raise RuntimeError("`reinterpret` is no-op: arguments specify neither new shape, layout nor type.")
    if dtype is not None and dtype not in NUMERIC:
        raise RuntimeError(f"Invalid output type: {dtype}")
    reshaped = foretell_reshaped(data, *shape_input, **ways)
    return reshaped if dtype is None else reshaped._replace(dtype=dtype)


@operator(infer=_foretell, numbers_only=False, inputs_from="cpu too")
def reinterpret(
    data: Array,
    shape_input: Array | None = None,
    *,
    dtype: DType | None = None,
    shape: PerSample[list[int]] | None = None,
    rel_shape: PerSample[list[float]] | None = None,
    src_dims: PerSample[list[int]] | None = None,
    layout: str | None = None,
) -> Array:
    """Sees the same bytes as elements of another type, shape or layout; nothing is copied.

        ndd.reinterpret(packed, dtype=ndd.float32)
        ndd.reinterpret(packed, dtype=ndd.int16, shape=[-1, 2])

    Without a shape the innermost axis grows or shrinks with the size of an element. The shape may also be the second
    input.

    Args:
        dtype: The type the bytes are taken for.
        shape: The new extents, counted in elements of the new type; one of them may be -1, for whatever is left.
        rel_shape: The new extents as factors of the old ones; one of them may be -1.
        src_dims: For every new axis, the old one whose extent it has, or `rel_shape` multiplies; -1 for a new one.
        layout: Layout of the result; "" for none. Without it the layout stays where the number of axes does.
    """
    storage = data.dtype if dtype is None else dtype.storage
    given = shape if shape_input is None else shape_input
    extents = new_shape(data.shape, given, rel_shape, src_dims, items=(data.dtype.itemsize, storage.itemsize))
    return np.frombuffer(data.tobytes(), storage).reshape(extents)


@reinterpret.on_samples(anywhere=True)
def view(
    pool: Pool,
    n: int,
    data: Samples,
    shape_input: Samples | None = None,
    *,
    dtype: DType | None,
    shape: Any,
    rel_shape: Any,
    src_dims: Any,
    layout: str | None,
) -> Samples:
    return seen_as(n, data, shape_input, (shape, rel_shape, src_dims), layout, dtype)


reinterpret.examples = examples(
    Example("ndd.reinterpret(float_image, dtype=types.UINT8)", timed=True),
)
