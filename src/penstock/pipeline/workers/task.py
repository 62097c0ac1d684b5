"""A task for a worker process."""

from __future__ import annotations

from typing import NamedTuple


class SourceTask(NamedTuple):
    """The batch of one iteration, or some of its samples."""

    source: int
    epoch: int
    number: int  # of the iteration in its epoch
    batch_size: int = 0
    places: range | None = None  # in the batch; None for all of it, from a source that makes batches
