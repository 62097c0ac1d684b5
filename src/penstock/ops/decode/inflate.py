"""LZ4 data inflated."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from penstock import _native
from penstock.ops.decode.image import check_encoded
from penstock.ops.single_sample import run_steps
from penstock.schema import PerSample, operator
from penstock.values import memory_limit
from penstock.values.dtypes import NUMERIC, DType, uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(
    data: Spec,
    *,
    shape: Any,
    dtype: DType,
    layout: str,
    sequence_axis_name: str,
    chunk_offsets: Any,
    chunk_sizes: Any,
    max_bytes: int | None,
    **rest: Any,
) -> Spec:
    check_encoded(data, max_bytes)
    if dtype not in NUMERIC:
        raise RuntimeError(f"Unsupported output type: {dtype}")
    if not isinstance(shape, Spec):
        if any(extent < 0 for extent in shape):
            raise RuntimeError(f"a shape cannot have negative extents, got {shape}")
        if layout and len(layout) != len(shape):
            raise RuntimeError(f"layout {layout!r} does not name the {len(shape)} axes of shape {shape}")
    if len(sequence_axis_name) != 1:
        raise RuntimeError(f"sequence_axis_name must be a single character, got {sequence_axis_name!r}")
    chunked = chunk_offsets is not None or chunk_sizes is not None
    labelled = sequence_axis_name + layout if chunked and layout else layout
    return Spec(dtype, None if isinstance(shape, Spec) else len(shape) + chunked, labelled)


def _blank(good: Array | None, *, shape: Any, dtype: DType, chunk_offsets: Any, chunk_sizes: Any, **rest: Any) -> Array:
    """Zeros in the shape that was asked for."""
    chunks = chunk_sizes if chunk_offsets is None else chunk_offsets
    frames = [] if chunks is None else [len(np.atleast_1d(chunks))]
    return np.zeros([*frames, *np.atleast_1d(shape)], dtype.storage)


@operator(name="decoders.inflate", infer=_foretell, blank=_blank, by_cpu=True)
def inflate(
    data: Array,
    *,
    shape: PerSample[list[int]],
    dtype: DType = uint8,
    layout: str = "",
    chunk_offsets: PerSample[list[int]] | None = None,
    chunk_sizes: PerSample[list[int]] | None = None,
    sequence_axis_name: str = "F",
    algorithm: Literal["LZ4"] = "LZ4",
    check_output_size: bool = False,
    max_bytes: int | None = None,
) -> Array:
    """Inflates LZ4 data: one block for every sample, or several that become a sequence.

        ndd.decoders.inflate(packed, shape=[480, 640, 3], layout="HWC")
        ndd.decoders.inflate(packed, shape=[480, 640, 3], layout="HWC", chunk_sizes=sizes)

    The data are bare blocks, without the header of the frame format. What is on a GPU is inflated by the CPU: the bytes
    go there and the result comes back.

    Args:
        shape: Shape of the result, or of one of its frames where there are several chunks.
        dtype: Element type.
        layout: Layout of the result, or of one of its frames.
        chunk_offsets: Where each chunk begins. Without `chunk_sizes` each ends where the next begins.
        chunk_sizes: How many bytes each chunk has. Without `chunk_offsets` they follow one another from the first byte.
        sequence_axis_name: What the layout calls the axis of the chunks.
        algorithm: Only "LZ4".
        check_output_size: The size is always checked; accepted for old programs.
        max_bytes: Data that take more memory inflated are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
    one = {"shape": shape, "chunk_offsets": chunk_offsets, "chunk_sizes": chunk_sizes}
    rows = {name: None if value is None else np.asarray(value)[None] for name, value in one.items()}
    return run_steps(_native.Samples.wrap_one(data), _step(dtype, "", max_bytes, **rows))


@inflate.native
def native(
    data: Spec,
    *,
    shape: Any,
    dtype: DType,
    chunk_offsets: Any,
    chunk_sizes: Any,
    layout: str,
    max_bytes: int | None,
    **unused: Any,
) -> _native.Step:
    return _step(dtype, layout, max_bytes, shape, chunk_offsets, chunk_sizes)


def _step(
    dtype: DType, layout: str, max_bytes: int | None, shape: Any, chunk_offsets: Any, chunk_sizes: Any
) -> _native.Step:
    shapes = _lists(shape) or [[0]]  # an empty batch may have none
    if any(extent < 0 for extents in shapes for extent in extents):
        raise RuntimeError(f"a shape cannot have negative extents, got {shapes}")
    if len({len(extents) for extents in shapes}) > 1 or (layout and len(layout) != len(shapes[0])):
        raise RuntimeError(f"shapes of one rank, that of layout {layout!r}, are needed, got {shapes}")
    offsets, sizes = (None if rows is None else _lists(rows) for rows in (chunk_offsets, chunk_sizes))
    return _native.Inflate(dtype.code, shapes, offsets, sizes, memory_limit.max_bytes(max_bytes))


def _lists(rows: Any) -> list[list[int]]:
    return [np.atleast_1d(row).tolist() for row in rows]
