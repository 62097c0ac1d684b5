"""Which sample, or which batch, a source of samples is asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SampleInfo:
    """Asks for one sample.

    Args:
        idx_in_epoch: Number of the sample since the epoch began.
        idx_in_batch: Its place in the batch.
        iteration: Number of the batch since the epoch began.
        epoch_idx: Number of the epoch.
    """

    idx_in_epoch: int
    idx_in_batch: int
    iteration: int
    epoch_idx: int


@dataclass
class BatchInfo:
    """Asks for a whole batch.

    Args:
        iteration: Number of the batch since the epoch began.
        epoch_idx: Number of the epoch.
    """

    iteration: int
    epoch_idx: int
