"""Cepstral coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from penstock import _native
from penstock.ops.audio.signals import Array, combined_gpu, require_floats
from penstock.schema import Example, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch


def _foretell(input: Spec, *, axis: int, dct_type: int, n_mfcc: int, normalize: bool, lifter: float) -> Spec:
    require_floats(input)
    ndim = input.ndim or 0
    if not 0 <= axis < ndim:
        raise RuntimeError(f"axis {axis} is out of range for an input of {ndim} axes")
    if ndim == 1:
        raise RuntimeError("an input of 1 axis is not supported; expand_dims adds one for time")
    if dct_type not in (1, 2, 3, 4):
        raise RuntimeError(f"Unsupported DCT type: {dct_type}. Supported types are: 1, 2, 3, 4.")
    if normalize and dct_type == 1:
        raise RuntimeError("normalize=True is not supported for dct_type=1")
    if n_mfcc < 1:
        raise RuntimeError(f"n_mfcc must be at least 1, got {n_mfcc}")
    return input


def _cosines(dct_type: int, count: int, length: int) -> Array:
    """A row of weights for each coefficient of a transform."""
    k, j = np.arange(count)[:, None], np.arange(length)
    if dct_type == 1:
        ends = np.where((j == 0) | (j == length - 1), 0.5, 1)
        return np.asarray(ends * np.cos(np.pi / (length - 1) * j * k))
    if dct_type == 2:
        return np.asarray(np.cos(np.pi / length * (j + 0.5) * k))
    if dct_type == 3:
        return np.asarray(np.where(j == 0, 0.5, 1) * np.cos(np.pi / length * j * (k + 0.5)))
    return np.asarray(np.cos(np.pi / length * (j + 0.5) * (k + 0.5)))


def _orthonormal(weights: Array, dct_type: int) -> Array:
    """The weights of the transform that keeps the sum of squares."""
    weights = weights * np.sqrt(2 / weights.shape[1])
    if dct_type == 2:
        weights[0] /= np.sqrt(2)
    if dct_type == 3:
        weights[:, 0] *= np.sqrt(2)
    return weights


def _weights(length: int, dct_type: int, n_mfcc: int, normalize: bool, lifter: float) -> Array:
    """A row of weights for each coefficient of `length` elements."""
    if dct_type == 1 and length == 1:
        raise RuntimeError("dct_type=1 needs more than 1 element along the axis")
    count = min(n_mfcc, length)
    weights = _cosines(dct_type, count, length)
    if normalize:
        weights = _orthonormal(weights, dct_type)
    if lifter:
        with np.errstate(all="ignore"):
            weights = weights * (1 + lifter / 2 * np.sin(np.pi * (np.arange(count) + 1) / lifter))[:, None]
    return weights


@operator(infer=_foretell)
def mfcc(
    input: Array,
    *,
    axis: int = 0,
    dct_type: int = 2,
    n_mfcc: int = 20,
    normalize: bool = False,
    lifter: float = 0.0,
) -> Array:
    """Takes the first coefficients of a cosine transform of a mel spectrogram in decibels.

        ndd.mfcc(ndd.to_decibels(mel), n_mfcc=13, normalize=True)

    Args:
        axis: The axis of frequencies.
        dct_type: Which of the four kinds of the transform, 1 to 4.
        n_mfcc: Number of coefficients; at most as many as there are frequencies.
        normalize: Make the transform orthonormal. Not for `dct_type` 1.
        lifter: Scales coefficient k by 1 + lifter / 2 * sin(pi * (k + 1) / lifter), which brings up the higher ones;
            0 does nothing.
    """
    rows = np.moveaxis(input, axis, 0)
    if len(rows) == 0:
        return input
    weights = _weights(len(rows), dct_type, n_mfcc, normalize, lifter)
    with np.errstate(all="ignore"):
        made = np.tensordot(weights, rows.astype(np.float64), 1).astype(np.float32)
    return np.moveaxis(made, 0, axis)


@mfcc.native
def native(input: Spec, *, axis: int, dct_type: int, n_mfcc: int, normalize: bool, lifter: float) -> _native.Step:
    return _native.Mfcc(axis, n_mfcc, dct_type, normalize, lifter)


@mfcc.gpu
def gpu(input: torch.Tensor, *, axis: int, dct_type: int, n_mfcc: int, normalize: bool, lifter: float) -> torch.Tensor:
    length = input.shape[1 + axis]
    return combined_gpu(_weights(length, dct_type, n_mfcc, normalize, lifter), input, axis) if length else input


mfcc.examples = examples(
    "ndd.mfcc(power)",
    Example("ndd.mfcc(decibels, n_mfcc=20)", drawn=True),
    within=0.0003,
)
