"""What the operators on sound share: checks of their inputs and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.values.dtypes import float32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LONGEST_TRANSFORM = 1 << 26


def require_floats(input: Spec, refusal: str = "Unsupported data type") -> None:
    if input.dtype != float32:
        raise RuntimeError(f"{refusal}: {type_name(input.dtype)}; cast it to float32 first")


def require_power(power: int) -> None:
    if power not in (1, 2):
        raise RuntimeError(f"power must be 1 (magnitude) or 2 (squared magnitude), got {power}")


def require_transform(nfft: int) -> None:
    if nfft > LONGEST_TRANSFORM:
        raise RuntimeError(f"nfft must be at most {LONGEST_TRANSFORM}, got {nfft}")


def magnitudes(signals: Array, nfft: int, power: int) -> Array:
    """The spectrum along the last axis, of signals that are cut or padded with zeros to `nfft` samples."""
    with np.errstate(all="ignore"):
        spectrum = np.fft.rfft(signals.astype(np.float64), nfft)
        return np.asarray(np.abs(spectrum) ** power, np.float32)


def combined_gpu(weights: Array, data: torch.Tensor, axis: int) -> torch.Tensor:
    """Sums of the elements along an axis behind that of the batch, by a row of weights for each."""
    import torch

    made: torch.Tensor = torch.tensordot(beside(weights.astype(np.float32), data), data, dims=([1], [1 + axis]))
    return made.movedim(0, 1 + axis)
