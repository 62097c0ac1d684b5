"""Arrays in the format of numpy.save."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.ops.decode.image import check_encoded
from penstock.schema import operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import BY_CODE, NUMERIC, DType
from penstock.values.samples import from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000  # larger ones describe records
_FIELDS = [
    re.compile(rb"'descr': *'([<>|=]?[a-zA-Z?]\d{0,3})'"),
    re.compile(rb"'fortran_order': *(True|False)"),
    re.compile(rb"'shape': *\(([\d, ]*)\)"),
]


class Header(NamedTuple):
    """What a file says of the array that follows."""

    stored: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool


def _foretell(data: Spec, *, dtype: DType | None) -> Spec:
    check_encoded(data)
    if dtype is not None and dtype not in NUMERIC:
        raise RuntimeError(f"Unsupported output type: {dtype}")
    return Spec(dtype, None, "")


def _blank(good: Array | None, *, dtype: DType | None) -> Array:
    """Zeros in the shape of another array of the batch, or a single one where there is none."""
    return np.zeros(1, dtype.storage if dtype else np.float32) if good is None else np.zeros_like(good)


@operator(name="decoders.numpy", infer=_foretell, blank=_blank)
def numpy(data: Array, *, dtype: DType | None = None) -> Array:
    """Reads the bytes of files written by `numpy.save`. Elements are not copied where they can stay in place.

        arrays = ndd.decoders.numpy(files, dtype=ndd.float32)

    Arrays of numbers only: nothing is ever unpickled.

    Args:
        dtype: Element type to convert to, as `cast` does; that of the files by default.
    """
    array = _read(data)
    return array if dtype is None else cast_array(array, dtype)


@numpy.on_samples
def decoded(pool: Pool, n: int, data: Samples, *, dtype: DType | None) -> Samples:
    arrays = [_read(data.sample(i)) for i in range(len(data))]
    if dtype is not None and len({array.dtype for array in arrays}) > 1:
        arrays = [cast_array(array, dtype) for array in arrays]
    _check_alike(arrays)
    if not arrays:
        return Samples.empty((dtype or NUMERIC[0]).code, 0, [0])
    made = Samples.gather(arrays) if len(arrays) > 1 else from_arrays(arrays)
    made.external, made.read_only = data.external, data.read_only
    made.take_origin(data)
    if dtype is not None and dtype is not BY_CODE[made.code]:
        cast = _native.run(pool, made, len(made), [_native.Cast(dtype.code)])
        assert isinstance(cast, Samples)
        made = cast
    return made if len(made) == n else made.select([0] * n)


def _check_alike(arrays: list[Array]) -> None:
    for i, array in enumerate(arrays):
        if array.dtype != arrays[0].dtype:
            raise RuntimeError(
                f"All files of a batch must have the same data type: sample 0 has {arrays[0].dtype}, sample {i} "
                f"{array.dtype}; dtype= would convert them"
            )
        if array.ndim != arrays[0].ndim:
            raise RuntimeError(
                f"All files of a batch must have the same number of dimensions: sample 0 has {arrays[0].ndim}, "
                f"sample {i} {array.ndim}"
            )


def _read(data: Array) -> Array:
    """The array in a file: a view of its bytes where they are in order."""
    start = _header_end(data)
    header = _parsed(data[:start].tobytes())
    count = math.prod(header.shape)
    wanted, there = start + count * header.stored.itemsize, data.size
    if wanted != there:
        raise RuntimeError(f"Expected data numpy size {wanted} bytes does not match the actual size {there} bytes.")
    flat = data[start:].view(header.stored)
    try:
        array = flat.reshape(header.shape, order="F" if header.fortran else "C")
    except ValueError as error:
        raise RuntimeError(f"the file describes an impossible array: {error}") from None
    native = header.stored.newbyteorder("=")
    if header.stored != native:
        return np.ascontiguousarray(array.astype(native))
    return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")


def _header_end(data: Array) -> int:
    start = data[:12].tobytes()
    if not start.startswith(_MAGIC):
        raise RuntimeError(f"not a file of numpy.save: starts with {start[:6]!r} instead of {_MAGIC!r}")
    major = start[6] if len(start) > 6 else 0
    if major not in (1, 2, 3):
        raise RuntimeError(f"version {major} of the format is not known, only 1 to 3")
    fixed = 10 if major == 1 else 12
    end = fixed + int.from_bytes(start[8:fixed], "little")
    if end > data.size or end > _LONGEST_HEADER:
        raise RuntimeError(f"the header ends at byte {end}, the file has {data.size}")
    return end


@lru_cache(maxsize=256)
def _parsed(start: bytes) -> Header:
    """Everything before the elements. Files of a data set mostly have the same."""
    found = [pattern.search(start) for pattern in _FIELDS]
    if not all(found):
        raise RuntimeError(f"the header does not describe an array of numbers: {start[10:110]!r}")
    descr, order, extents = (match[1].decode() for match in found if match)
    try:
        stored = np.dtype(descr)
        shape = tuple(int(extent) for extent in extents.split(",") if extent.strip())
    except (TypeError, ValueError) as error:
        raise RuntimeError(f"the header describes no array of numbers: {error}") from None
    if stored.newbyteorder("=") not in DType.by_numpy:
        raise RuntimeError(f"Unknown Numpy type string: {descr}; arrays of numbers are read")
    return Header(stored, shape, order == "True")
