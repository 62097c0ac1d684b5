"""ndd.math: functions of one number, and the angle of two. Integers give float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Root
from penstock.ops.math.arithmetic import real_type
from penstock.ops.math.elementwise import Term, apply, elementwise, spread
from penstock.ops.math.promotion import real_numbers
from penstock.schema.operator import Operator

Array = np.ndarray[Any, Any]


def _function(name: str, ufunc: np.ufunc, doc: str, native: Root | None = None) -> Operator:
    def compute(input: Array) -> Array:
        return apply(ufunc, real_type(input), input)

    compute.__doc__ = doc
    return elementwise(f"math.{name}", real_numbers, terms=[Term(native or ufunc)])(compute)


sqrt = _function("sqrt", np.sqrt, "Square root; NaN for negative numbers.", Root.square)
cbrt = _function("cbrt", np.cbrt, "Cube root.")
exp = _function("exp", np.exp, "e to the power of the input.")
log = _function("log", np.log, "Natural logarithm; -inf for 0, NaN for negative numbers.")
log2 = _function("log2", np.log2, "Logarithm to base 2.")
log10 = _function("log10", np.log10, "Logarithm to base 10.")
fabs = _function("fabs", np.absolute, "Distance from zero, as a float.")
floor = _function("floor", np.floor, "The next lower whole number, as a float.")
ceil = _function("ceil", np.ceil, "The next higher whole number, as a float.")
sin = _function("sin", np.sin, "Sine of an angle in radians.")
cos = _function("cos", np.cos, "Cosine of an angle in radians.")
tan = _function("tan", np.tan, "Tangent of an angle in radians.")
asin = _function("asin", np.arcsin, "The angle, in radians, with this sine; NaN beyond [-1, 1].")
acos = _function("acos", np.arccos, "The angle, in radians, with this cosine; NaN beyond [-1, 1].")
atan = _function("atan", np.arctan, "The angle, in radians, with this tangent.")
sinh = _function("sinh", np.sinh, "Hyperbolic sine.")
cosh = _function("cosh", np.cosh, "Hyperbolic cosine.")
tanh = _function("tanh", np.tanh, "Hyperbolic tangent.")
asinh = _function("asinh", np.arcsinh, "Inverse of sinh.")
acosh = _function("acosh", np.arccosh, "Inverse of cosh; NaN below 1.")
atanh = _function("atanh", np.arctanh, "Inverse of tanh; NaN beyond [-1, 1].")


@elementwise("math.rsqrt", real_numbers, terms=[Term(Root.reciprocal_square)])
def rsqrt(input: Array) -> Array:
    """One divided by the square root; inf for 0, NaN for negative numbers."""
    root = apply(np.sqrt, real_type(input), input)
    return apply(np.true_divide, root.dtype, np.ones(1, root.dtype), root)


@elementwise("math.atan2", real_numbers, terms=[Term(np.arctan2)])
def atan2(x: Array, y: Array) -> Array:
    """The angle, in radians, whose tangent is x / y, in the quadrant both signs tell."""
    return apply(np.arctan2, real_type(x, y), *spread(x, y))
