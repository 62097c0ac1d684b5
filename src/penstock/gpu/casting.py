"""Conversion between element types in torch, to the values of `penstock.values.casting`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.types import torch_dtype, widest_real
from penstock.values.dtypes import DType, float32, float64

if TYPE_CHECKING:
    import torch


def cast_tensor(tensor: torch.Tensor, dtype: DType) -> torch.Tensor:
    """Floats round half away from zero, values beyond the range saturate, NaN becomes the lowest integer.

    To bool, a value is true where it does not round to zero.
    """
    import torch

    target = torch_dtype(dtype.code)
    if tensor.dtype == target:
        return tensor
    real = tensor.dtype.is_floating_point
    if target == torch.bool:
        return ~(tensor.abs() < 0.5) if real else signed(tensor) != 0
    if target.is_floating_point:
        return _unsigned_as_float(tensor).to(target) if tensor.dtype == torch.uint64 else tensor.to(target)
    if tensor.dtype == torch.bool:
        return tensor.to(target)
    limits = np.iinfo(dtype.storage)
    if real:
        return _rounded(tensor, limits, target)
    return _saturated(tensor, limits, target)


def signed(tensor: torch.Tensor) -> torch.Tensor:
    """Unsigned integers, of which torch computes with those of 8 bits only, in a type that it computes with.

    Those of 64 bits from 2**63 on become negative.
    """
    import torch

    wider: dict[Any, Any] = {torch.uint16: torch.int32, torch.uint32: torch.int64}
    if tensor.dtype == torch.uint64:
        return tensor.view(torch.int64)
    return tensor.to(wider[tensor.dtype]) if tensor.dtype in wider else tensor


def as_float32(tensor: torch.Tensor) -> torch.Tensor:
    """The numbers in single precision."""
    import torch

    return signed(tensor).to(torch.float32)


def as_widest_real(tensor: torch.Tensor) -> torch.Tensor:
    """The numbers in double precision, or in single precision where the device has no other."""
    return cast_tensor(tensor, float64 if widest_real(tensor).itemsize == 8 else float32)


def by_bits(move: Callable[..., torch.Tensor], tensor: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:
    """What a function that only moves elements about makes of tensors of a type: torch has fewer for unsigned ones."""
    import torch

    same: dict[Any, Any] = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
    if tensor.dtype not in same:
        return move(tensor, *others)
    return move(*(each.view(same[each.dtype]) for each in (tensor, *others))).view(tensor.dtype)


def _unsigned_as_float(tensor: torch.Tensor) -> torch.Tensor:
    import torch

    whole = tensor.view(torch.int64)
    return torch.where(whole < 0, whole.to(torch.float64) + 2.0**64, whole.to(torch.float64))


def _saturated(tensor: torch.Tensor, limits: Any, target: torch.dtype) -> torch.Tensor:
    import torch

    whole = signed(tensor).to(torch.int64)
    most = min(limits.max, 2**63 - 1)
    if tensor.dtype == torch.uint64 and limits.max < 2**64 - 1:
        whole = torch.where(whole < 0, most, whole)
    return whole.clamp(max(limits.min, -(2**63)), most).to(target)


def _rounded(tensor: torch.Tensor, limits: Any, target: torch.dtype) -> torch.Tensor:
    import torch

    narrow = limits.bits <= 16 and tensor.element_size() <= 4
    kind = torch.float32 if narrow else torch.float64
    half = float(np.nextafter(np.float32(0.5), np.float32(0)) if narrow else np.nextafter(0.5, 0))
    wide = tensor.to(kind)
    if limits.bits <= 32:
        values = torch.nan_to_num(wide, nan=float(limits.min), posinf=float(limits.max), neginf=float(limits.min))
        values = values.clamp(float(limits.min), float(limits.max))
        whole = (values + torch.copysign(torch.full_like(values, half), values)).to(torch.int64)
        return whole.to(target)
    rounded = (wide + torch.copysign(torch.full_like(wide, half), wide)).trunc()
    above, below = rounded >= float(limits.max), ~(rounded > float(limits.min))
    inside = torch.where(above | below, 0.0, rounded)
    if limits.min == 0:  # the upper half of unsigned numbers is the lower half of signed ones
        high = inside >= 2.0**63
        whole = torch.where(high, inside - 2.0**64, inside).to(torch.int64)
        made = torch.where(above, -1, torch.where(below, 0, whole))
        return made.view(torch.uint64)
    whole = inside.to(torch.int64)
    return torch.where(above, limits.max, torch.where(below, limits.min, whole)).to(target)
