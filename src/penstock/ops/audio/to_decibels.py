"""Ratios on the logarithmic scale of loudness."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.audio.signals import Array, require_floats
from penstock.schema import Example, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch


def _check(*, reference: float | None, **rest: Any) -> None:
    if reference == 0:
        raise RuntimeError(
            "`reference` argument can't be zero; without it the largest value of a sample counts as 0 dB"
        )


def _foretell(input: Spec, **arguments: Any) -> Spec:
    require_floats(input)
    return input


def _least(multiplier: float, cutoff_db: float) -> np.floating[Any]:
    """The ratio of `cutoff_db`, or the smallest positive number where that is zero."""
    with np.errstate(all="ignore"):
        ratio = np.float32(np.float64(10) ** np.divide(cutoff_db, multiplier))
    return np.float32(np.fmax(ratio, np.finfo(np.float32).smallest_subnormal))


@operator(infer=_foretell, check=_check)
def to_decibels(
    input: Array, *, multiplier: float = 10.0, reference: float | None = None, cutoff_db: float = -200.0
) -> Array:
    """Turns magnitudes into decibels: multiplier * log10(input / reference), at least `cutoff_db`.

        ndd.to_decibels(power, cutoff_db=-80)
        ndd.to_decibels(amplitude, multiplier=20, reference=1)

    What is not positive, and NaN, becomes `cutoff_db`.

    Args:
        multiplier: 10 for powers, 20 for amplitudes.
        reference: What counts as 0 dB; the largest value of the sample without it.
        cutoff_db: Smaller results become this.
    """
    peak = np.fmax.reduce(input, axis=None, initial=np.float32(0)) if reference is None else np.float32(reference)
    with np.errstate(all="ignore"):
        ratio = np.fmax(input * (np.float32(1) / (peak or np.float32(1))), _least(multiplier, cutoff_db))
        return np.asarray(multiplier * np.log10(ratio.astype(np.float64)), np.float32)


@to_decibels.native
def native(input: Spec, *, multiplier: float, reference: float | None, cutoff_db: float) -> _native.Step:
    return _native.ToDecibels(multiplier, reference or 0.0, float(_least(multiplier, cutoff_db)))


@to_decibels.gpu
def gpu(input: torch.Tensor, *, multiplier: float, reference: float | None, cutoff_db: float) -> torch.Tensor:
    import torch

    scale: Any
    if reference is not None:
        scale = float(np.float32(1) / np.float32(reference))
    elif math.prod(input.shape[1:]) == 0:
        scale = 1.0
    else:
        known = torch.where(input.isnan(), 0, input).flatten(1).amax(1).clamp_min(0)
        peak = torch.where(known > 0, known, 1).reshape(-1, *[1] * (input.ndim - 1))
        scale = 1 / peak
    ratio = torch.fmax(input * scale, torch.full((), float(_least(multiplier, cutoff_db)), device=input.device))
    return multiplier * ratio.log10()


to_decibels.examples = examples(
    "ndd.to_decibels(power)",
    Example("ndd.to_decibels(power, cutoff_db=-60.0)", drawn=True),
    within=0.0001,
)
