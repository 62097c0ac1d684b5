"""Signatures of ndd.math. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def abs(input: TensorLike) -> Tensor:
    """Distance from zero; the lowest integer stays as it is."""
@overload
def abs(input: Operand) -> Batch: ...

@overload
def acos(input: TensorLike) -> Tensor:
    """The angle, in radians, with this cosine; NaN beyond [-1, 1]."""
@overload
def acos(input: Operand) -> Batch: ...

@overload
def acosh(input: TensorLike) -> Tensor:
    """Inverse of cosh; NaN below 1."""
@overload
def acosh(input: Operand) -> Batch: ...

@overload
def asin(input: TensorLike) -> Tensor:
    """The angle, in radians, with this sine; NaN beyond [-1, 1]."""
@overload
def asin(input: Operand) -> Batch: ...

@overload
def asinh(input: TensorLike) -> Tensor:
    """Inverse of sinh."""
@overload
def asinh(input: Operand) -> Batch: ...

@overload
def atan(input: TensorLike) -> Tensor:
    """The angle, in radians, with this tangent."""
@overload
def atan(input: Operand) -> Batch: ...

@overload
def atan2(x: TensorLike, y: TensorLike) -> Tensor:
    """The angle, in radians, whose tangent is x / y, in the quadrant both signs tell."""
@overload
def atan2(x: Operand, y: Operand) -> Batch: ...

@overload
def atanh(input: TensorLike) -> Tensor:
    """Inverse of tanh; NaN beyond [-1, 1]."""
@overload
def atanh(input: Operand) -> Batch: ...

@overload
def cbrt(input: TensorLike) -> Tensor:
    """Cube root."""
@overload
def cbrt(input: Operand) -> Batch: ...

@overload
def ceil(input: TensorLike) -> Tensor:
    """The next higher whole number, as a float."""
@overload
def ceil(input: Operand) -> Batch: ...

@overload
def clamp(value: TensorLike, lo: TensorLike, hi: TensorLike) -> Tensor:
    """The value moved into the range from lo to hi; hi where lo is beyond it. NaN stays NaN."""
@overload
def clamp(value: Operand, lo: Operand, hi: Operand) -> Batch: ...

@overload
def cos(input: TensorLike) -> Tensor:
    """Cosine of an angle in radians."""
@overload
def cos(input: Operand) -> Batch: ...

@overload
def cosh(input: TensorLike) -> Tensor:
    """Hyperbolic cosine."""
@overload
def cosh(input: Operand) -> Batch: ...

@overload
def exp(input: TensorLike) -> Tensor:
    """e to the power of the input."""
@overload
def exp(input: Operand) -> Batch: ...

@overload
def fabs(input: TensorLike) -> Tensor:
    """Distance from zero, as a float."""
@overload
def fabs(input: Operand) -> Batch: ...

@overload
def floor(input: TensorLike) -> Tensor:
    """The next lower whole number, as a float."""
@overload
def floor(input: Operand) -> Batch: ...

@overload
def fpow(base: TensorLike, exponent: TensorLike) -> Tensor:
    """The base raised to the exponent, as a float."""
@overload
def fpow(base: Operand, exponent: Operand) -> Batch: ...

@overload
def log(input: TensorLike) -> Tensor:
    """Natural logarithm; -inf for 0, NaN for negative numbers."""
@overload
def log(input: Operand) -> Batch: ...

@overload
def log10(input: TensorLike) -> Tensor:
    """Logarithm to base 10."""
@overload
def log10(input: Operand) -> Batch: ...

@overload
def log2(input: TensorLike) -> Tensor:
    """Logarithm to base 2."""
@overload
def log2(input: Operand) -> Batch: ...

@overload
def max(left: TensorLike, right: TensorLike) -> Tensor:
    """The larger of two operands; the right one where either is NaN."""
@overload
def max(left: Operand, right: Operand) -> Batch: ...

@overload
def min(left: TensorLike, right: TensorLike) -> Tensor:
    """The smaller of two operands; the right one where either is NaN."""
@overload
def min(left: Operand, right: Operand) -> Batch: ...

@overload
def pow(base: TensorLike, exponent: TensorLike) -> Tensor:
    """The base raised to the exponent; integers wrap, and a negative whole exponent gives 0."""
@overload
def pow(base: Operand, exponent: Operand) -> Batch: ...

@overload
def rsqrt(input: TensorLike) -> Tensor:
    """One divided by the square root; inf for 0, NaN for negative numbers."""
@overload
def rsqrt(input: Operand) -> Batch: ...

@overload
def sin(input: TensorLike) -> Tensor:
    """Sine of an angle in radians."""
@overload
def sin(input: Operand) -> Batch: ...

@overload
def sinh(input: TensorLike) -> Tensor:
    """Hyperbolic sine."""
@overload
def sinh(input: Operand) -> Batch: ...

@overload
def sqrt(input: TensorLike) -> Tensor:
    """Square root; NaN for negative numbers."""
@overload
def sqrt(input: Operand) -> Batch: ...

@overload
def tan(input: TensorLike) -> Tensor:
    """Tangent of an angle in radians."""
@overload
def tan(input: Operand) -> Batch: ...

@overload
def tanh(input: TensorLike) -> Tensor:
    """Hyperbolic tangent."""
@overload
def tanh(input: Operand) -> Batch: ...
