"""+ - * / // % **, negation, absolute value, smaller and larger of two; integers wrap and divide as in C."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Combination
from penstock.ops.math.elementwise import Term, apply, elementwise, spread
from penstock.ops.math.promotion import ResultType, meeting_type, numbers, numbers_or_bool, real_numbers
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType, Kind

Array = np.ndarray[Any, Any]

_FLOAT64 = np.dtype(np.float64)
_CLIP: Any = np.clip  # takes what a ufunc does


def _from_ufunc(
    name: str, sign: str, ufunc: np.ufunc, kind: Combination, doc: str, result: ResultType = numbers
) -> Operator:
    def combine(left: Array, right: Array) -> Array:
        return apply(ufunc, meeting_type(left.dtype, right.dtype), left, right)

    combine.__doc__ = doc
    return elementwise(name, result, sign, [Term(kind)])(combine)


add = _from_ufunc("_arithmetic.add", "+", np.add, Combination.add, "Sum of two operands.")
sub = _from_ufunc("_arithmetic.sub", "-", np.subtract, Combination.sub, "Difference of two operands.")
mul = _from_ufunc("_arithmetic.mul", "*", np.multiply, Combination.mul, "Product of two operands.", numbers_or_bool)


def real_type(*arrays: Array) -> np.dtype[Any]:
    """float64 where an operand is, else float32."""
    wide = any(array.dtype == np.float64 for array in arrays)
    return np.dtype(np.float64 if wide else np.float32)


@elementwise("_arithmetic.truediv", real_numbers, "/", [Term(Combination.div)])
def truediv(left: Array, right: Array) -> Array:
    """Quotient of two operands, as a float."""
    return apply(np.true_divide, real_type(left, right), left, right)


@elementwise("_arithmetic.floordiv", numbers, "//", [Term(Combination.quotient)])
def floordiv(left: Array, right: Array) -> Array:
    """Quotient of two operands; integers are cut towards zero, floats are not rounded at all."""
    dtype = meeting_type(left.dtype, right.dtype)
    if dtype.kind == "f":
        return apply(np.true_divide, dtype, left, right)
    divisor = _divisor(right, dtype)
    if dtype.kind == "u" or (_none_is_negative(left) and _none_is_negative(divisor)):
        return apply(np.floor_divide, dtype, left, divisor)
    if dtype.itemsize < 8:
        # float64 holds such quotients well enough never to round one up; storing it cuts the fraction off.
        return apply(np.true_divide, dtype, left, divisor, within=_FLOAT64)
    left = left.astype(dtype, copy=False)
    quotient = apply(np.floor_divide, dtype, left, divisor)
    floored = (quotient < 0) & (quotient * divisor != left)
    return np.asarray(np.add(quotient, floored, dtype=dtype))


def _equal_reals(sign: str, operands: tuple[DType, ...]) -> DType | None:
    """The promoted type, unless it is a float that would cut an operand."""
    found = numbers(sign, operands)
    return None if found.kind is Kind.float and operands != (found, found) else found


@elementwise("_arithmetic.mod", numbers, "%", [Term(Combination.remainder, reals=np.fmod)], _equal_reals)
def mod(left: Array, right: Array) -> Array:
    """Remainder of a division, with the sign of the dividend."""
    dtype = meeting_type(left.dtype, right.dtype)
    if dtype.kind != "f":
        return apply(np.fmod, dtype, left, _divisor(right, dtype))
    if left.dtype == right.dtype:
        return apply(np.fmod, dtype, left, right)
    # An integer cut to float32 first would leave a remainder of something else.
    return apply(np.fmod, dtype, left, right, within=_FLOAT64)


def _none_is_negative(array: Array) -> bool:
    return array.dtype.kind == "i" and bool(array.min(initial=0) >= 0)


def _divisor(array: Array, dtype: np.dtype[Any]) -> Array:
    if not array.all():
        raise ValueError("Integer division by zero.")
    return array.astype(dtype, copy=False)


def _power(base: Array, exponent: Array) -> Array:
    """The base raised to the exponent; integers wrap, and a negative whole exponent gives 0."""
    dtype = meeting_type(base.dtype, exponent.dtype)
    if dtype.kind == "f":
        return apply(np.power, dtype, *spread(base, exponent))
    if dtype.kind == "u":
        return apply(np.power, dtype, base, exponent)
    exponent = exponent.astype(dtype, copy=False)
    negative = exponent < 0
    if not negative.any():
        return apply(np.power, dtype, base, exponent)
    return np.where(negative, dtype.type(0), apply(np.power, dtype, base, np.maximum(exponent, 0)))


_POWER = [Term(Combination.pow, reals=np.power)]
pow = elementwise("_arithmetic.pow", numbers, terms=_POWER)(_power)
math_pow = elementwise("math.pow", numbers, terms=_POWER)(_power)


@elementwise("math.fpow", real_numbers, terms=_POWER)
def fpow(base: Array, exponent: Array) -> Array:
    """The base raised to the exponent, as a float."""
    return apply(np.power, real_type(base, exponent), *spread(base, exponent))


@elementwise("_arithmetic.neg", numbers, "-", [Term(np.negative)])
def neg(operand: Array) -> Array:
    """The operand with its sign turned; unsigned integers wrap."""
    return apply(np.negative, operand.dtype, operand)


def _absolute(input: Array) -> Array:
    """Distance from zero; the lowest integer stays as it is."""
    return apply(np.absolute, input.dtype, input)


abs = elementwise("_arithmetic.abs", numbers, terms=[Term(np.absolute)])(_absolute)
math_abs = elementwise("math.abs", numbers, terms=[Term(np.absolute)])(_absolute)


@elementwise("math.min", numbers, terms=[Term(Combination.min)])
def min(left: Array, right: Array) -> Array:
    """The smaller of two operands; the right one where either is NaN."""
    return _extreme(np.minimum, np.fmin, left, right)


@elementwise("math.max", numbers, terms=[Term(Combination.max)])
def max(left: Array, right: Array) -> Array:
    """The larger of two operands; the right one where either is NaN."""
    return _extreme(np.maximum, np.fmax, left, right)


@elementwise("math.clamp", numbers, terms=[Term(Combination.max, reversed=True), Term(Combination.min, reversed=True)])
def clamp(value: Array, lo: Array, hi: Array) -> Array:
    """The value moved into the range from lo to hi; hi where lo is beyond it. NaN stays NaN."""
    dtype = meeting_type(meeting_type(value.dtype, lo.dtype), hi.dtype)
    if _has_nan(lo) or _has_nan(hi):
        value = value.astype(dtype, copy=False)
        return _extreme(np.minimum, np.fmin, hi, _extreme(np.maximum, np.fmax, lo, value)).astype(dtype, copy=False)
    return apply(_CLIP, dtype, value, lo, hi)


def _extreme(ufunc: np.ufunc, passing_over_nan: np.ufunc, left: Array, right: Array) -> Array:
    """As `left < right ? left : right` in C: NaN on the left is passed over, on the right it stays."""
    dtype = meeting_type(left.dtype, right.dtype)
    if dtype.kind != "f":
        return apply(ufunc, dtype, left, right)
    # The smaller operand is looked through for NaN, often a single number.
    if right.size <= left.size and not _has_nan(right):
        return apply(passing_over_nan, dtype, left, right)
    made = apply(ufunc, dtype, left, right)
    return np.where(np.isnan(left), right.astype(dtype), made) if _has_nan(left) else made


def _has_nan(array: Array) -> bool:
    return array.dtype.kind == "f" and array.size > 0 and bool(np.isnan(array.min()))
