"""The contents of penstock.fn.random. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def beta(shape_like: Any = None, /, *, alpha: float | DataNode | None = 1.0, beta: float | DataNode | None = 1.0, shape: int | Sequence[int] | Array | DataNode | None = None, dtype: DTypeLike | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def choice(a: Any, shape_like: Any = None, /, *, p: float | Sequence[float] | Array | DataNode | None = None, shape: int | Sequence[int] | Array | DataNode | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def coin_flip(shape_like: Any = None, /, *, probability: float | DataNode | None = 0.5, shape: int | Sequence[int] | Array | DataNode | None = None, dtype: DTypeLike | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def normal(shape_like: Any = None, /, *, mean: float | DataNode | None = 0.0, stddev: float | DataNode | None = 1.0, shape: int | Sequence[int] | Array | DataNode | None = None, dtype: DTypeLike | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def uniform(shape_like: Any = None, /, *, range: float | Sequence[float] | Array | DataNode | None = [-1.0, 1.0], values: float | Sequence[float] | Array | DataNode | None = None, shape: int | Sequence[int] | Array | DataNode | None = None, dtype: DTypeLike | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...
