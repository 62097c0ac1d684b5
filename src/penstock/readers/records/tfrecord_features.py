"""`FixedLenFeature` and `VarLenFeature`: the features to read from TFRecord files."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, overload

import numpy as np

int64: Final = 0
string: Final = 1
float32: Final = 2

Default: TypeAlias = "int | float | str | bytes | None"

_TYPES: dict[int, tuple[str, type | tuple[type, ...]]] = {
    int64: ("int", int),
    string: ("string", (str, bytes)),
    float32: ("float", (float, int)),
}
_LIST_KINDS = {string: 1, float32: 2, int64: 3}  # field numbers of the message `Feature`


@dataclass(frozen=True)
class Feature:
    """A feature to read, as made by `FixedLenFeature` or `VarLenFeature`."""

    shape: tuple[int, ...]
    dtype: int
    default_value: Default
    fixed: bool

    def __post_init__(self) -> None:
        if self.dtype not in _TYPES:
            raise RuntimeError(f"unknown feature type {self.dtype!r}; take int64, float32 or string of tfrecord")
        name, types = _TYPES[self.dtype]
        given = self.default_value
        if given is not None and (not isinstance(given, types) or isinstance(given, bool)):
            raise RuntimeError(f"Invalid type for default value, expected {name}, got {given!r}")
        if min(self.shape, default=0) < 0:
            raise RuntimeError(f"the shape of a feature cannot have a negative extent, got {list(self.shape)}")
        if not self.fixed and 0 in self.shape:
            raise RuntimeError(f"parts of shape {list(self.shape)} have no elements to count")

    def for_parser(self, name: str) -> tuple[bytes, int, list[int], bool, bytes | None]:
        """The arguments of the native parser for this feature."""
        if self.dtype == string and (not self.fixed or any(extent != 1 for extent in self.shape)):
            raise RuntimeError(
                f"feature {name!r}: Tensors of strings are not supported. FixedLenFeature((), string) reads one string"
            )
        return name.encode(), _LIST_KINDS[self.dtype], list(self.shape), self.fixed, self._default_bytes()

    def _default_bytes(self) -> bytes | None:
        value = self.default_value
        if value is None or isinstance(value, bytes):
            return value
        if isinstance(value, str):
            return value.encode()
        return np.array(value, np.int64 if self.dtype == int64 else np.float32).tobytes()


def FixedLenFeature(shape: Sequence[int], dtype: int, default_value: Default = None, /) -> Feature:  # noqa: N802
    """A feature that has the same shape in every record.

    Args:
        shape: The shape; of a string `()`.
        dtype: `int64`, `float32` or `string`.
        default_value: What a record without this feature is filled with. None makes that an error.
    """
    return Feature(_extents(shape), dtype, default_value, fixed=True)


@overload
def VarLenFeature(dtype: int, default_value: Default = None, /) -> Feature: ...
@overload
def VarLenFeature(shape: Sequence[int], dtype: int, default_value: Default = None, /) -> Feature: ...
def VarLenFeature(first: Any, second: Any = None, third: Any = None, /) -> Feature:  # noqa: N802
    """A feature of any length: `VarLenFeature(dtype, default_value)` or `VarLenFeature(shape, dtype, default_value)`.

    A record without it has none of its values.

    Args:
        shape: The shape of one part of it. The sample has one axis more, along which the parts stand.
        dtype: `int64` or `float32`.
        default_value: No effect.
    """
    if isinstance(first, Sequence) or third is not None:
        return Feature(_extents(first), second, third, fixed=False)
    return Feature((), first, second, fixed=False)


def _extents(shape: Sequence[int]) -> tuple[int, ...]:
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        raise TypeError(f"the shape of a feature is a sequence of numbers, got {shape!r}")
    return tuple(operator.index(extent) for extent in shape)
