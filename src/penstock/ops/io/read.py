"""Reading files by name."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.schema import operator
from penstock.storage import Names, Storage
from penstock.storage.names import zero_byte
from penstock.values import memory_limit
from penstock.values.bad_samples import UnreadableError
from penstock.values.dtypes import int8, uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


_STORAGE = Storage()


def _foretell(filepaths: Spec, *, storage: Storage | None, max_bytes: int | None, **unused: bool) -> Spec:
    if filepaths.dtype not in (uint8, int8) or filepaths.ndim != 1:
        raise RuntimeError(
            f"expected the bytes of a path, 1-D uint8, got {filepaths.ndim}-D {filepaths.dtype}; "
            "numpy.frombuffer(path.encode(), numpy.uint8) makes them"
        )
    if storage is not None and not isinstance(storage, Storage):
        raise TypeError(f"storage is a Storage, got {type(storage).__name__}")
    memory_limit.max_bytes(max_bytes)
    return Spec(uint8, 1, "")


def _blank(good: Array | None, **arguments: Any) -> Array:
    """An empty file."""
    return np.zeros(0, np.uint8)


@operator(name="io.file.read", infer=_foretell, blank=_blank, runs_on="cpu")
def read(
    filepaths: Array,
    *,
    dont_use_mmap: bool = False,
    use_o_direct: bool = False,
    storage: Storage | None = None,
    max_bytes: int | None = None,
) -> Array:
    """Reads whole files, whose names are given as bytes.

        ndd.io.file.read(np.frombuffer(b"photos/cat.jpg", np.uint8))

    Names may be URLs, such as s3:// and https://. Zero bytes behind a name are no part of it, so names of different
    length fit into a uniform batch.

    Args:
        dont_use_mmap: Accepted for old programs: files are never mapped.
        use_o_direct: Likewise; files are read through the page cache.
        storage: How files at URLs are reached: credentials, attempts, cache. A `readers.Storage`.
        max_bytes: Larger files are refused; by default those of more than 2 GiB, or what the environment variable
            PENSTOCK_MAX_BYTES says.
    """
    contents: Array = whole(Pool(1), 1, Samples.wrap_one(filepaths), storage, max_bytes).sample(0)
    return contents


@read.on_samples
def whole(
    pool: Pool, n: int, filepaths: Samples, storage: Storage | None, max_bytes: int | None, **unused: bool
) -> Samples:
    given = [filepaths.sample(i).tobytes().rstrip(b"\0") for i in range(len(filepaths))]
    names = Names(b"".join(name + b"\0" for name in given))
    if len(names) > len(given):
        wrong = {at: os.fsdecode(name) for at, name in enumerate(given) if b"\0" in name}
        raise UnreadableError({at: zero_byte(name) for at, name in wrong.items()}, wrong)
    if filepaths.sources is None:  # then errors name them, and so do those of samples made in place of others
        filepaths.sources = [names[i] for i in range(len(names))]
    if max_bytes is not None or storage is None:
        max_bytes = memory_limit.max_bytes(max_bytes)
    read = (storage or _STORAGE).read("", names, np.arange(len(names)), max_bytes)
    return read if len(read) == n else read.select([0] * n)
