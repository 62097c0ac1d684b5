"""Arrays in the format of numpy.save."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import ArrayOptions, NpyFormat, Pool, SampleError, Samples
from penstock.ops.decode.image import check_encoded
from penstock.schema import operator
from penstock.values import memory_limit
from penstock.values.dtypes import BY_CODE, NUMERIC, DType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(data: Spec, *, dtype: DType | None, max_bytes: int | None) -> Spec:
    check_encoded(data, max_bytes)
    if dtype is not None and dtype not in NUMERIC:
        raise RuntimeError(f"Unsupported output type: {dtype}")
    return Spec(dtype, None, "")


def _blank(good: Array | None, *, dtype: DType | None, **rest: Any) -> Array:
    """Zeros in the shape of another array of the batch, or a single one where there is none."""
    return np.zeros(1, dtype.storage if dtype else np.float32) if good is None else np.zeros_like(good)


@operator(name="decoders.numpy", infer=_foretell, blank=_blank, runs_on="cpu")
def numpy(data: Array, *, dtype: DType | None = None, max_bytes: int | None = None) -> Array:
    """Reads the bytes of files written by `numpy.save`. Elements are not copied where they can stay in place.

        arrays = ndd.decoders.numpy(files, dtype=ndd.float32)

    Arrays of numbers only: nothing is ever unpickled.

    Args:
        dtype: Element type to convert to, as `cast` does; that of the files by default.
        max_bytes: Arrays that take more memory are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
    array: Array = decoded(Pool(1), 1, Samples.wrap_one(data), dtype=dtype, max_bytes=max_bytes).sample(0)
    return array


@numpy.on_samples
def decoded(pool: Pool, n: int, data: Samples, *, dtype: DType | None, max_bytes: int | None) -> Samples:
    if not len(data):
        return Samples.empty((dtype or NUMERIC[0]).code, 0, [0])
    whole_file, limit = NpyFormat(to_the_end=True), memory_limit.max_bytes(max_bytes)
    made, failures = _native.arrays_in_files(pool, data, whole_file, ArrayOptions(limit))
    if failures and dtype is not None:  # it may only be that types differ
        made, failures = _native.arrays_in_files(pool, data, whole_file, ArrayOptions(limit, dtype=dtype.code))
    for failure in failures.items():
        raise SampleError(*failure)
    if dtype is not None and dtype is not BY_CODE[made.code]:
        cast = _native.run(pool, made, len(made), [_native.Cast(dtype.code)])
        assert isinstance(cast, Samples)
        made = cast
    return made if len(made) == n else made.select([0] * n)
