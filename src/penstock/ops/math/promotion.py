"""Which element type two operands meet in, and which layout their result has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from penstock.values.dtypes import NUMERIC, DType, Kind, bool_, float16, float32, float64, int64
from penstock.values.spec import Spec

# From the operator's sign and its operands' types to the result's type; raises for types the operator does not take.
ResultType = Callable[[str, "tuple[DType, ...]"], DType]

_SIGNED = {dtype.bits: dtype for dtype in NUMERIC if dtype.kind is Kind.signed}
_ORDINALS = ("Left", "Right", "Right")


def _promote(left: DType, right: DType) -> DType:
    """Bool gives way to all, integers to floats; signed and unsigned meet in a wider signed type, 64 bits at most."""
    if left.kind is right.kind or Kind.bool in (left.kind, right.kind):
        return max(left, right, key=lambda dtype: (dtype.kind is not Kind.bool, dtype.bits))
    if Kind.float in (left.kind, right.kind):
        return left if left.kind is Kind.float else right
    signed, unsigned = (left, right) if left.kind is Kind.signed else (right, left)
    return signed if signed.bits > unsigned.bits else _SIGNED.get(2 * unsigned.bits, int64)


_OPERANDS = [dtype for dtype in NUMERIC if dtype != float16]
_PROMOTED = {(left.code, right.code): _promote(left, right) for left in _OPERANDS for right in _OPERANDS}
_MEETING: dict[tuple[Any, ...], np.dtype[Any]] = {
    (left.storage, right.storage): _PROMOTED[left.code, right.code].storage for left in _OPERANDS for right in _OPERANDS
}


def meeting_type(left: np.dtype[Any], right: np.dtype[Any]) -> np.dtype[Any]:
    """The type two arrays are brought to before they are combined."""
    return _MEETING[left, right]


def _promoted(operands: tuple[DType, ...], refusal: Callable[[int], str]) -> DType:
    first, *rest = operands
    found: DType | None = first if (first.code, first.code) in _PROMOTED else None
    if found is None:
        raise RuntimeError(refusal(0))
    for position, other in enumerate(rest, start=1):
        found = _PROMOTED.get((found.code, other.code))
        if found is None:
            raise RuntimeError(refusal(position))
    return found


def _operand_refusal(operands: tuple[DType, ...]) -> Callable[[int], str]:
    way_out = "; cast it to float32 or an integer type first"
    if len(operands) == 1:
        return lambda position: f"Unsupported type: {operands[0]}{way_out}"
    return lambda position: (
        f"{_ORDINALS[position]} operand data type not supported, DALIDataType: {operands[position]}{way_out}"
    )


def numbers_or_bool(sign: str, operands: tuple[DType, ...]) -> DType:
    return _promoted(operands, _operand_refusal(operands))


def numbers(sign: str, operands: tuple[DType, ...]) -> DType:
    """The promoted type, which must not be bool."""
    found = numbers_or_bool(sign, operands)
    if found is bool_:
        if len(operands) == 1:
            raise RuntimeError(
                f"Input to arithmetic operator `{sign}` cannot be a boolean. Consider using bitwise operator `~` or a "
                "numeric type."
            )
        raise RuntimeError(
            f"Inputs to arithmetic operator `{sign}` cannot be booleans. Consider using bitwise operators `|`, `&`, "
            "`^` or a numeric type."
        )
    return found


def real_numbers(sign: str, operands: tuple[DType, ...]) -> DType:
    """The promoted type where it is a float, else float32."""
    found = numbers(sign, operands)
    return found if found is float64 else float32


def whole_numbers(sign: str, operands: tuple[DType, ...]) -> DType:
    """The promoted type, which must be an integer or bool."""
    found = numbers_or_bool(sign, operands) if operands != (float16,) else float16
    if found.kind is Kind.float:
        raise RuntimeError(f"Inputs to bitwise operator `{sign}` must be of integral type.")
    return found


def truth(sign: str, operands: tuple[DType, ...]) -> DType:
    """Bool, for operands that can be compared."""
    sides = ("left", "right")
    _promoted(operands, lambda position: f"Invalid type ({sides[position]} operand): {operands[position]}")
    return bool_


def result_layout(name: str, specs: tuple[Spec, ...], ndim: int) -> str:
    """The longest layout, of which every other must be a suffix; none where it does not name every axis."""
    longest, position = "", 0
    for other, spec in enumerate(specs):
        layout = spec.layout or ""
        if not longest.endswith(layout) and not layout.endswith(longest):
            raise RuntimeError(
                f"Layouts of subexpressions {position} and {other} for arithmetic operation {name} do not match. They "
                f"must be equal or one must be a suffix of the other. Got {longest} and {layout}."
            )
        if len(layout) > len(longest):
            longest, position = layout, other
    return longest if len(longest) == ndim else ""
