"""What programs find as `nvidia.dali.experimental.dynamic.capture._invariant`."""

from __future__ import annotations

from typing import Any

from penstock.dynamic.invariant import Invariant, invariant, is_invariant, unwrap

__all__ = ["Invariant", "invariant", "is_invariant", "unwrap_invariant", "unwrap_invariants"]

unwrap_invariant = unwrap


def unwrap_invariants(value: Any) -> Any:
    """A value without marks, also inside of lists, tuples and dictionaries."""
    value = unwrap(value)
    if isinstance(value, dict):
        return {key: unwrap_invariants(each) for key, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(unwrap_invariants(each) for each in value)
    return value
