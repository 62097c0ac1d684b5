"""The part of a signal that is not silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import as_widest_real, signed
from penstock.gpu.types import dtype_of
from penstock.ops.audio.signals import Array
from penstock.ops.names import type_name
from penstock.schema import operator
from penstock.values.dtypes import bool_, float16, float32, float64, int32
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch


def _foretell(
    input: Spec, *, cutoff_db: float, reference_power: float | None, reset_interval: int, window_length: int
) -> tuple[Spec, Spec]:
    if input.dtype in (float16, float64, bool_):
        raise RuntimeError(f"Unsupported input type: {type_name(input.dtype)}; integers and float32 are supported")
    if input.ndim != 1:
        raise RuntimeError(f"a signal has 1 axis, got {input.ndim}")
    if window_length < 1:
        raise RuntimeError(f"window_length must be at least 1, got {window_length}")
    if reset_interval != -1 and (reset_interval < 1 or reset_interval % window_length):
        raise RuntimeError(
            f"reset_interval must be a multiple of window_length={window_length} or -1, got {reset_interval}"
        )
    if reference_power is not None and not reference_power > 0:
        raise RuntimeError(f"`reference_power` has to be positive. Got: {reference_power:g}")
    return Spec(int32, 0, ""), Spec(int32, 0, "")


def _sums(powers: Array, window: int, interval: int) -> Iterator[Array]:
    """Sums of the `window` powers up to each; made from the one before, but every `interval` samples anew."""
    for begin in range(0, len(powers), interval):
        end = min(begin + interval, len(powers))
        leaving = np.concatenate([np.zeros(window, powers.dtype), powers])[begin + 1 : end]
        terms = np.empty(2 * len(leaving) + 1, powers.dtype)
        terms[0] = np.add.accumulate(powers[max(0, begin - window + 1) : begin + 1])[-1]
        terms[1::2], terms[2::2] = -leaving, powers[begin + 1 : end]
        yield np.add.accumulate(terms)[::2]


@operator(infer=_foretell, results=2)
def nonsilent_region(
    input: Array,
    *,
    cutoff_db: float = -60.0,
    reference_power: float | None = None,
    reset_interval: int = 8192,
    window_length: int = 2048,
) -> tuple[Array, Array]:
    """Tells where the part of a signal begins that is not silence, and how long it is.

        begin, length = ndd.nonsilent_region(audio, window_length=512)
        audio = ndd.slice(audio, begin, length, axes=0)

    Sound is from the first to the last window whose mean power is at least `cutoff_db` from the reference. A signal
    that is nowhere that loud gives 0 and 0, as does an empty one; compared with its own maximum, one of zeros is loud
    throughout.

    Args:
        cutoff_db: Windows less powerful than this, relative to the reference, are silent.
        reference_power: What counts as 0 dB; the largest mean power in the signal if None.
        reset_interval: Samples after which the running sum of float signals is made anew, because rounding errors pile
            up in it: a multiple of `window_length`, or -1 for never.
        window_length: Samples that the power is averaged over; a shorter signal is one window.
    """
    if input.size == 0:
        return np.asarray(0, np.int32), np.asarray(0, np.int32)
    window = min(window_length, len(input))
    exact = np.int64 if input.dtype.kind in "iu" and input.itemsize <= 2 else np.float64
    interval = len(input) if reset_interval == -1 else reset_interval
    with np.errstate(all="ignore"):
        powers = input.astype(np.float32 if input.dtype.kind == "f" else exact) ** 2
        sums = np.concatenate([*_sums(powers, window, interval)]).astype(np.float32)
        own = np.fmax.reduce(sums, initial=np.float32(0))
        reference = np.float32(reference_power) * np.float32(window) if reference_power is not None else own
        loud = np.flatnonzero(sums >= reference * _ratio(cutoff_db))
    if not len(loud):
        return np.asarray(0, np.int32), np.asarray(0, np.int32)
    begin = max(0, loud[0] - window + 1)
    return np.asarray(begin, np.int32), np.asarray(loud[-1] + 1 - begin, np.int32)


def _ratio(cutoff_db: float) -> np.float32:
    with np.errstate(over="ignore"):
        return np.float32(np.float64(10) ** (cutoff_db / 10))


@nonsilent_region.on_samples
def on_samples(
    pool: Pool,
    n: int,
    signals: Samples,
    *,
    cutoff_db: float,
    reference_power: float | None,
    reset_interval: int,
    window_length: int,
) -> tuple[Samples, Samples]:
    restart = max(reset_interval, 0)
    ratio = float(_ratio(cutoff_db))
    return _native.nonsilent_regions(pool, n, signals, window_length, restart, ratio, reference_power or 0.0)


@nonsilent_region.gpu
def gpu(
    input: torch.Tensor,
    *,
    cutoff_db: float,
    reference_power: float | None,
    reset_interval: int,
    window_length: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    n = input.shape[1]
    if n == 0:
        nothing = torch.zeros(len(input), dtype=torch.int32, device=input.device)
        return nothing, nothing.clone()
    window = min(window_length, n)
    sums = _sums_gpu(_powers_gpu(input), window, n if reset_interval == -1 else reset_interval).to(torch.float32)
    if reference_power is not None:
        least = torch.full((), float(np.float32(reference_power) * np.float32(window)), device=input.device)
    else:
        least = torch.where(sums.isnan(), 0, sums).amax(1, keepdim=True).clamp_min(0)
    loud = sums >= least * float(_ratio(cutoff_db))
    places = torch.arange(n, device=input.device)
    first, last = torch.where(loud, places, n).amin(1), torch.where(loud, places, -1).amax(1)
    begin = torch.where(last < 0, 0, (first - window + 1).clamp_min(0))
    return begin.to(torch.int32), (last + 1 - begin).to(torch.int32)


def _powers_gpu(input: torch.Tensor) -> torch.Tensor:
    """Squares of the samples, in a type that holds their sums."""
    import torch

    dtype = dtype_of(input)
    if dtype is float32:
        return as_widest_real(input.square())
    return signed(input).to(torch.int64).square() if dtype.bits <= 16 else as_widest_real(input).square()


def _sums_gpu(powers: torch.Tensor, window: int, interval: int) -> torch.Tensor:
    """As `_sums`, of signals under a leading axis; all intervals at once."""
    import torch

    n = powers.shape[1]
    count = -(-n // interval)
    padded = torch.nn.functional.pad(powers, (window, count * interval - n))
    begins = torch.arange(count, device=powers.device) * interval
    whole = padded[:, begins[:, None] + 1 + torch.arange(window, device=powers.device)].sum(2)
    changes = padded[:, window:] - padded[:, :-window]
    steps = changes.reshape(len(powers), count, interval).clone()
    steps[:, :, 0] = whole
    return steps.cumsum(2).flatten(1)[:, :n]
