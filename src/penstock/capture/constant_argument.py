"""Constant arguments of traced calls, compared by value with those of later steps.

A result made ahead is only valid for the arguments it was made with. Lists and arrays can be changed in place, so
identity proves nothing about them: their values are kept from the trace and compared in every step.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.dynamic.invariant import is_invariant, unwrap
from penstock.dynamic.values.value import Value
from penstock.engine.rng import RNG
from penstock.interop.frameworks import is_array, to_numpy
from penstock.ops.tensor.subscript import Ranges
from penstock.values.device import Device
from penstock.values.dtypes import DType
from penstock.values.kept_samples import KeptSample, KeptSamples
from penstock.values.samples import arrays_of

# Larger arrays take longer to compare than most operators take to run.
_MOST_BYTES = 1 << 16

_SIMPLE = frozenset({int, float, bool, str, bytes, complex, type(None), DType, slice, type(...)})
_BY_IDENTITY = (RNG, type, FunctionType, BuiltinFunctionType)


class ConstantArgument:
    """The value of an argument at the time the call was traced.

    `itself` is the argument where its identity implies an equal value, so that `is` can replace `equals`. Otherwise it
    is this object, which is identical to no argument. `plain` is a number, string or the like, or a copy of a list or
    tuple of them: arguments of that type, with items of those types, are compared by `==`, and zeros by their signs. It
    is None for any other.
    `native/bind/runtime/step_calls.cc` compares by both before it asks `equals`.
    """

    __slots__ = ("_kept", "_kind", "_parts", "itself", "key", "plain")

    def __init__(self, value: Any) -> None:
        """Raises TypeError, with the reason, for a value of which a change would go unnoticed."""
        self._kind, self._parts = _type_and_key(value)
        self._kept = value  # values compared by address stay alive, so that no other object gets the same address
        self.key: Hashable = (self._kind, _hashable(self._parts))
        self.plain = _plain(value)
        # Immutable values, and values in memory that this library allocated: nobody writes to that.
        keeps = self._kind in _SIMPLE or (isinstance(value, Value) and not value._resolve().external)
        self.itself = value if keeps else self

    def equals(self, value: Any) -> bool:
        """Whether the argument of a later call has the same type and value."""
        try:
            return type(value) is self._kind and bool(_type_and_key(value)[1] == self._parts)
        except (AttributeError, TypeError):
            return False


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is list or kind is tuple:
        return value[:] if _SIMPLE.issuperset(map(type, value)) else None
    return value if kind in _SIMPLE else None


def _type_and_key(value: Any) -> tuple[type, Any]:
    """Returns the type of a value and an immutable key that is equal for equal values of that type."""
    kind = type(value)
    if is_invariant(value):
        return kind, id(unwrap(value))
    if kind is float:
        return kind, value.hex()  # -0.0 equals 0.0
    if kind in _SIMPLE or isinstance(value, (Enum, np.generic, Device)):
        return kind, value
    if kind is list or kind is tuple:
        return kind, tuple(map(_type_and_key, value))
    if isinstance(value, _BY_IDENTITY):
        return kind, id(value)
    if isinstance(value, Ranges):
        return kind, tuple(map(_type_and_key, value.axes))
    if isinstance(value, Value):
        return kind, _samples_key(value._resolve())
    if isinstance(value, (KeptSample, KeptSamples)):
        return kind, _samples_key(value._samples)
    if is_array(value):
        return kind, _array_key(to_numpy(value))
    raise TypeError(f"is a {kind.__name__}, whose value cannot be compared")


def _samples_key(samples: Samples) -> Any:
    """Returns the address of large samples that only this library writes to; the contents of all others."""
    if not samples.external and samples.nbytes > _MOST_BYTES:
        return id(samples)
    return samples.layout, samples.device, *map(_array_key, arrays_of(samples.host()))


def _array_key(array: np.ndarray[Any, Any]) -> Any:
    if array.nbytes > _MOST_BYTES:
        raise TypeError(f"is an array of {array.nbytes} bytes, too large to be compared in every step")
    return array.dtype.str, array.shape, array.tobytes()


def _hashable(parts: Any) -> Hashable:
    """Replaces slices, which cannot be hashed before Python 3.12, by tuples."""
    if isinstance(parts, slice):
        return operator.attrgetter("start", "stop", "step")(parts)
    if isinstance(parts, tuple):
        return tuple(map(_hashable, parts))
    hashable: Hashable = parts
    return hashable
