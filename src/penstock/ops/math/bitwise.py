"""& | ^ ~ << >>, on integers and bool."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Combination
from penstock.ops.math.elementwise import Term, apply, elementwise
from penstock.ops.math.promotion import meeting_type, whole_numbers
from penstock.schema.operator import Operator

Array = np.ndarray[Any, Any]


def _bitwise(name: str, sign: str, ufunc: np.ufunc, kind: Combination) -> Operator:
    def combine(left: Array, right: Array) -> Array:
        return apply(ufunc, meeting_type(left.dtype, right.dtype), left, right)

    combine.__doc__ = f"left {sign} right, bit by bit."
    return elementwise(f"_arithmetic.{name}", whole_numbers, sign, [Term(kind)])(combine)


def _shift(name: str, sign: str, ufunc: np.ufunc, kind: Combination) -> Operator:
    def shift(left: Array, right: Array) -> Array:
        dtype = meeting_type(left.dtype, right.dtype)
        if dtype.kind == "b":
            return np.asarray(ufunc(left.view(np.uint8), right.view(np.uint8)), bool)
        # As processors do: narrow integers are shifted in a 32-bit register, the count taken modulo its width.
        count = right.astype(dtype, copy=False) & dtype.type(63 if dtype.itemsize == 8 else 31)
        return apply(ufunc, dtype, left, count)

    shift.__doc__ = f"left {sign} right; the count is taken modulo the width of the type, 32 bits at least."
    return elementwise(f"_arithmetic.{name}", whole_numbers, sign, [Term(kind)])(shift)


bitand = _bitwise("bitand", "&", np.bitwise_and, Combination.bit_and)
bitor = _bitwise("bitor", "|", np.bitwise_or, Combination.bit_or)
bitxor = _bitwise("bitxor", "^", np.bitwise_xor, Combination.bit_xor)
lshift = _shift("lshift", "<<", np.left_shift, Combination.shift_left)
rshift = _shift("rshift", ">>", np.right_shift, Combination.shift_right)


@elementwise("_arithmetic.invert", whole_numbers, "~", [Term(np.invert)])
def invert(operand: Array) -> Array:
    """Every bit turned; for bool, the opposite."""
    return apply(np.invert, operand.dtype, operand)
