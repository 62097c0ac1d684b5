"""Samples of the CPU's as one piece of host memory, which takes one copy to upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from penstock._native import Samples
from penstock.gpu.types import as_torch
from penstock.values.dtypes import BY_CODE

if TYPE_CHECKING:
    import torch


class Staged(NamedTuple):
    """Host memory with one axis, and where in it each sample begins."""

    source: torch.Tensor
    offsets: list[int]
    samples: Samples | None  # whose memory it is, if it must not be used again before the upload is done


def in_one_piece(samples: Samples) -> Staged:
    """Samples over their own memory where it is one piece, as what operators make is, else over a copy."""
    found = samples.span()
    if found is None and len(samples):
        samples = samples.copied()
        found = samples.span()
    array, offsets = (np.empty(0, BY_CODE[samples.code].storage), []) if found is None else found
    return Staged(as_torch(array), offsets, samples)
