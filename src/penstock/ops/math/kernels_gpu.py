"""Arithmetic, comparisons, bits and functions of numbers in torch, to the values of their NumPy functions.

torch computes with unsigned integers of 8 bits only. Those of 16 and 32 are computed with in a wider signed type and
cut to their width at last, those of 64 by their bits, as signed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.casting import cast_tensor, signed
from penstock.gpu.types import dtype_of, torch_dtype
from penstock.ops.math.promotion import meeting_type
from penstock.values.dtypes import DType, Kind, float32, float64, uint64

if TYPE_CHECKING:
    import torch

Kernel = Callable[..., "torch.Tensor"]


def kernel(name: str) -> Kernel | None:
    """The function of an operator's name such as "_arithmetic.add"; None where there is none."""
    word = name.rsplit(".", 1)[-1]
    found = _WRITTEN.get(word)
    if found is None and word in _OF_REALS:
        found = _of_reals(_OF_REALS[word])
    if found is None:
        return None
    computed = found

    def run(*operands: torch.Tensor) -> torch.Tensor:
        aligned = _aligned(operands)
        shapes = [tuple(operand.shape[1:]) for operand in aligned]
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise RuntimeError(f"Can't broadcast shapes: {', '.join(map(str, shapes))}") from None
        return computed(*aligned)

    return run


def _aligned(operands: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Samples of different rank broadcast from their last axis on, the batch axis staying first."""
    rank = max(operand.ndim for operand in operands)
    return [operand[(slice(None), *[None] * (rank - operand.ndim))] for operand in operands]


def _meeting(*operands: torch.Tensor) -> DType:
    """The type that operands are brought to before they are combined."""
    found = dtype_of(operands[0]).storage
    for other in operands[1:]:
        found = meeting_type(found, dtype_of(other).storage)
    return DType.by_numpy[found]


def _brought(operand: torch.Tensor, dtype: DType) -> torch.Tensor:
    """An operand as what is computed with in place of a type."""
    if dtype.kind is Kind.float:
        return cast_tensor(operand, dtype)
    return signed(operand).to(_computed(dtype))


def _computed(dtype: DType) -> torch.dtype:
    import torch

    wider: dict[int, Any] = {16: torch.int32, 32: torch.int64, 64: torch.int64}
    if dtype.kind is Kind.unsigned and dtype.bits > 8:
        found: torch.dtype = wider[dtype.bits]
        return found
    return torch_dtype(dtype.code)


def _cut(made: torch.Tensor, dtype: DType) -> torch.Tensor:
    """A result as the type it was computed in place of; integers wrap."""
    import torch

    if dtype is uint64:
        return made.to(torch.int64).view(torch.uint64)
    return made.to(torch_dtype(dtype.code))


def _binary(compute: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Kernel:
    def run(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        dtype = _meeting(left, right)
        return _cut(compute(_brought(left, dtype), _brought(right, dtype)), dtype)

    return run


def _product(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return left * right


def _of_reals(function: str) -> Kernel:
    def run(*operands: torch.Tensor) -> torch.Tensor:
        import torch

        dtype = float64 if float64 in map(dtype_of, operands) else float32
        made: torch.Tensor = getattr(torch, function)(*(cast_tensor(each, dtype) for each in operands))
        return made

    return run


def _cbrt(operand: torch.Tensor) -> torch.Tensor:
    dtype = float64 if dtype_of(operand) is float64 else float32
    wide = cast_tensor(operand, float64)
    return cast_tensor(wide.sign() * wide.abs() ** (1 / 3), dtype)


def _non_zero(divisor: torch.Tensor) -> torch.Tensor:
    if not bool(divisor.all()):
        raise ValueError("Integer division by zero.")
    return divisor


def _quotient(left: torch.Tensor, right: torch.Tensor, dtype: DType) -> torch.Tensor:
    """Integers divided, cut towards zero."""
    import torch

    if dtype is not uint64:
        return torch.div(left, right, rounding_mode="trunc")
    # Half of the dividend, divided and doubled, is at most one too small; a divisor from 2**63 on fits once or not.
    large, divisor = right < 0, torch.where(right < 0, 1, right)
    doubled = torch.div((left >> 1) & (2**63 - 1), divisor, rounding_mode="trunc") << 1
    rest = left - doubled * divisor
    made = doubled + (_high(rest) >= _high(divisor)).to(torch.int64)
    return torch.where(large, (_high(left) >= _high(right)).to(torch.int64), made)


def _floordiv(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    dtype = _meeting(left, right)
    if dtype.kind is Kind.float:
        return _brought(left, dtype) / _brought(right, dtype)
    return _cut(_quotient(_brought(left, dtype), _non_zero(_brought(right, dtype)), dtype), dtype)


def _mod(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(left, right)
    if dtype.kind is not Kind.float:
        a, b = _brought(left, dtype), _non_zero(_brought(right, dtype))
        return _cut(a - _quotient(a, b, dtype) * b, dtype)
    within = dtype if left.dtype == right.dtype else float64
    return cast_tensor(torch.fmod(_brought(left, within), _brought(right, within)), dtype)


def _power(base: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(base, exponent)
    b, e = _brought(base, dtype), _brought(exponent, dtype)
    if dtype.kind is Kind.float:
        return torch.pow(b, e)
    if dtype.kind is Kind.unsigned:
        return _cut(torch.pow(b.to(torch.int64), e.to(torch.int64)), dtype)
    powers = torch.pow(b.to(torch.int64), e.clamp(min=0).to(torch.int64))
    return _cut(torch.where(e < 0, 0, powers), dtype)


def _neg(operand: torch.Tensor) -> torch.Tensor:
    dtype = dtype_of(operand)
    return _cut(-_brought(operand, dtype), dtype)


def _abs(operand: torch.Tensor) -> torch.Tensor:
    dtype = dtype_of(operand)
    return operand.clone() if dtype.kind is Kind.unsigned else _cut(_brought(operand, dtype).abs(), dtype)


def _less(left: torch.Tensor, right: torch.Tensor, dtype: DType) -> torch.Tensor:
    return _high(left) < _high(right) if dtype is uint64 else left < right


def _high(bits: torch.Tensor) -> torch.Tensor:
    """The bits of unsigned numbers as signed ones in the same order."""
    return bits ^ (-(2**63))


def _min(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(left, right)
    a, b = _brought(left, dtype), _brought(right, dtype)
    return _cut(torch.where(_less(a, b, dtype), a, b), dtype)


def _max(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(left, right)
    a, b = _brought(left, dtype), _brought(right, dtype)
    return _cut(torch.where(_less(b, a, dtype), a, b), dtype)


def _clamp(value: torch.Tensor, lo: torch.Tensor, hi: torch.Tensor) -> torch.Tensor:
    return _min(hi, _max(lo, _cut(_brought(value, _meeting(value, lo, hi)), _meeting(value, lo, hi))))


def _comparison(compute: Callable[[Any, Any], torch.Tensor]) -> Kernel:
    """By value: unsigned numbers from 2**63 on are larger than all that a signed one can be."""

    def run(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        import torch

        dtype = _meeting(left, right)
        if dtype.kind is Kind.float:
            return compute(_brought(left, dtype), _brought(right, dtype))
        a, b = (signed(each).to(torch.int64) for each in (left, right))
        if torch.uint64 not in (left.dtype, right.dtype):
            return compute(a, b)
        high = [(each < 0) & (given.dtype == torch.uint64) for each, given in ((a, left), (b, right))]
        order = torch.where(high[0] == high[1], (a > b).int() - (a < b).int(), high[0].int() - high[1].int())
        return compute(order, 0)

    return run


def _bitwise(compute: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Kernel:
    return _binary(compute)


def _lshift(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(left, right)
    count = _brought(right, dtype).to(torch.int64) & (63 if dtype.bits == 64 else 31)
    return _cut(_brought(left, dtype).to(torch.int64) << count, dtype)


def _rshift(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    import torch

    dtype = _meeting(left, right)
    count = _brought(right, dtype).to(torch.int64) & (63 if dtype.bits == 64 else 31)
    bits = _brought(left, dtype).to(torch.int64)
    made = bits >> count
    if dtype is uint64:
        made = torch.where(count > 0, made & ((torch.ones_like(count) << (64 - count)) - 1), bits)
    return _cut(made, dtype)


def _invert(operand: torch.Tensor) -> torch.Tensor:
    dtype = dtype_of(operand)
    return _cut(~_brought(operand, dtype), dtype)


_WRITTEN: dict[str, Kernel] = {
    "add": _binary(lambda a, b: a + b), "sub": _binary(lambda a, b: a - b), "mul": _binary(_product),
    "floordiv": _floordiv, "mod": _mod, "pow": _power, "neg": _neg, "abs": _abs, "min": _min, "max": _max,
    "clamp": _clamp, "cbrt": _cbrt,
    "eq": _comparison(lambda a, b: a == b), "ne": _comparison(lambda a, b: a != b),
    "lt": _comparison(lambda a, b: a < b), "le": _comparison(lambda a, b: a <= b),
    "gt": _comparison(lambda a, b: a > b), "ge": _comparison(lambda a, b: a >= b),
    "bitand": _bitwise(lambda a, b: a & b), "bitor": _bitwise(lambda a, b: a | b),
    "bitxor": _bitwise(lambda a, b: a ^ b), "lshift": _lshift, "rshift": _rshift, "invert": _invert,
}  # fmt: skip
_OF_REALS = {
    "truediv": "true_divide", "fpow": "pow", "atan2": "atan2", "fabs": "abs",
    **{name: name for name in (
        "sqrt", "rsqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
        "tanh", "asinh", "acosh", "atanh", "floor", "ceil",
    )},
}  # fmt: skip
