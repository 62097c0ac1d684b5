"""== != < <= > >=, giving bool. Integers of any signedness compare by value."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.ops.math.elementwise import Term, elementwise
from penstock.ops.math.parts import place_for
from penstock.ops.math.promotion import meeting_type, numbers_or_bool, truth
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType, Kind, uint64

Array = np.ndarray[Any, Any]

_BOOL = np.dtype(np.bool_)


def _common(sign: str, operands: tuple[DType, ...]) -> DType | None:
    """A type that holds the values of all operands, or floats near them."""
    signed = any(dtype.kind is Kind.signed for dtype in operands)
    return None if signed and uint64 in operands else numbers_or_bool(sign, operands)


def _comparison(name: str, sign: str, ufunc: np.ufunc) -> Operator:
    def compare(left: Array, right: Array) -> Array:
        place = place_for(_BOOL, (left, right))
        if left.dtype.kind != "f" and right.dtype.kind != "f":
            made: Array = ufunc(left, right, out=place)
        else:
            dtype = meeting_type(left.dtype, right.dtype)
            made = ufunc(left, right, out=place, signature=(dtype, dtype, None), casting="unsafe")
        return made

    compare.__doc__ = f"Whether left {sign} right, element by element."
    return elementwise(f"_arithmetic.{name}", truth, sign, [Term(ufunc)], _common)(compare)


eq = _comparison("eq", "==", np.equal)
ne = _comparison("ne", "!=", np.not_equal)
lt = _comparison("lt", "<", np.less)
le = _comparison("le", "<=", np.less_equal)
gt = _comparison("gt", ">", np.greater)
ge = _comparison("ge", ">=", np.greater_equal)
