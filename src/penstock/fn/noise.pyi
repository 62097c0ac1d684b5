"""The contents of penstock.fn.noise. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def gaussian(input: Any, /, *, mean: float | DataNode | None = 0.0, stddev: float | DataNode | None = 1.0, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def salt_and_pepper(input: Any, /, *, prob: float | DataNode | None = 0.05, salt_vs_pepper: float | DataNode | None = 0.5, salt_val: float | DataNode | None = None, pepper_val: float | DataNode | None = None, per_channel: bool | None = False, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def shot(input: Any, /, *, factor: float | DataNode | None = 12.0, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...
