"""The contents of penstock.fn.transforms. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def combine(input_0: Any, input_1: Any, /, *inputs: Any, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def crop(input: Any = None, /, *, from_start: float | Sequence[float] | Array | DataNode | None = [0.0], from_end: float | Sequence[float] | Array | DataNode | None = [1.0], to_start: float | Sequence[float] | Array | DataNode | None = [0.0], to_end: float | Sequence[float] | Array | DataNode | None = [1.0], absolute: bool | None = False, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def rotation(input: Any = None, /, *, angle: float | DataNode, axis: float | Sequence[float] | Array | DataNode | None = None, center: float | Sequence[float] | Array | DataNode | None = None, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def scale(input: Any = None, /, *, scale: float | Sequence[float] | Array | DataNode, center: float | Sequence[float] | Array | DataNode | None = None, ndim: int | None = None, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def shear(input: Any = None, /, *, shear: float | Sequence[float] | Array | DataNode | None = None, angles: float | Sequence[float] | Array | DataNode | None = None, center: float | Sequence[float] | Array | DataNode | None = None, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def translation(input: Any = None, /, *, offset: float | Sequence[float] | Array | DataNode, reverse_order: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...
