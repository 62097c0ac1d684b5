"""What a reader reads from: samples by index."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.values.bad_samples import BadSample, UnreadableError

__all__ = ["BadSample", "Outputs", "Source", "UnreadableError", "read_numbered"]

Outputs: TypeAlias = tuple[Samples, ...]


class Source(Protocol):
    """The samples of an opened data set, by index; may be asked from several threads at once.

    A source may have `doubtful`: warnings about samples that it hands out all the same, by index, once they were read.
    """

    def __len__(self) -> int: ...

    def read(self, indices: Indices) -> Outputs:
        """Some samples, in the order asked for: one `Samples` for each output of the reader.

        Raises `UnreadableError` where some of them cannot be read.
        """
        ...


def read_numbered(source: Source, indices: Indices) -> Outputs:
    """Some samples, which know their numbers."""
    outputs = source.read(indices)
    for samples in outputs:
        samples.set_indices(indices)
    return outputs
