"""The contents of penstock.fn.io.file. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def read(filepaths: Any, /, *, dont_use_mmap: bool | None = False, use_o_direct: bool | None = False, storage: Storage | None = None, max_bytes: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...
