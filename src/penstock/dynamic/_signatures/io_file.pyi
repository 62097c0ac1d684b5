"""Signatures of ndd.io.file. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def read(
    filepaths: TensorLike,
    /,
    *,
    dont_use_mmap: bool | None = False,
    use_o_direct: bool | None = False,
    storage: Storage | None = None,
    max_bytes: int | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
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
@overload
def read(
    filepaths: Operand,
    /,
    *,
    dont_use_mmap: bool | None = False,
    use_o_direct: bool | None = False,
    storage: Storage | None = None,
    max_bytes: int | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def read(
    filepaths: Operand,
    /,
    *,
    dont_use_mmap: bool | None = False,
    use_o_direct: bool | None = False,
    storage: Storage | None = None,
    max_bytes: int | None = None,
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...
