"""Reading files by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.schema import operator
from penstock.values.dtypes import int8, uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(filepaths: Spec, **unused: bool) -> Spec:
    if filepaths.dtype not in (uint8, int8) or filepaths.ndim != 1:
        raise RuntimeError(
            f"expected the bytes of a path, 1-D uint8, got {filepaths.ndim}-D {filepaths.dtype}; "
            "numpy.frombuffer(path.encode(), numpy.uint8) makes them"
        )
    return Spec(uint8, 1, "")


@operator(name="io.file.read", infer=_foretell)
def read(filepaths: Array, *, dont_use_mmap: bool = False, use_o_direct: bool = False) -> Array:
    """Reads whole files, whose names are given as bytes.

        ndd.io.file.read(np.frombuffer(b"photos/cat.jpg", np.uint8))

    A zero byte ends a name, so names of different length fit into a uniform batch.

    Args:
        dont_use_mmap: Accepted for old programs: files are never mapped.
        use_o_direct: Likewise; files are read through the page cache.
    """
    contents: Array = whole(Pool(1), 1, Samples.wrap_one(filepaths)).sample(0)
    return contents


@read.on_samples
def whole(pool: Pool, n: int, filepaths: Samples, **unused: bool) -> Samples:
    names = [filepaths.sample(i).tobytes().partition(b"\0")[0] for i in range(len(filepaths))]
    ends = np.cumsum([len(name) + 1 for name in names], dtype=np.int64) - 1
    read, failures = _native.read_files(pool, b"", b"\0".join(names), ends, np.arange(len(names)))
    if failures:
        raise RuntimeError(f"File mapping failed: {next(iter(failures.values()))}")
    return read if len(read) == n else read.select([0] * n)
