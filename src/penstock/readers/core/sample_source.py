"""`SampleSource`: the samples of an opened data set, read by index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from penstock._native import Samples
from penstock.readers.core.order import Indices
from penstock.values.bad_samples import BadSample, UnreadableError

__all__ = [
    "BadSample",
    "Outputs",
    "SampleSource",
    "SourceOnDevice",
    "UnreadableError",
    "bytes_of_samples",
    "expect_samples",
]

Outputs: TypeAlias = tuple[Samples, ...]


class SampleSource(Protocol):
    """The samples of an opened data set, by index. `read` may be called from several threads at once.

    A source may have an attribute `doubtful`: warnings about samples that can be read all the same, by index. It may
    have a method `expect(indices)`, which has the system fetch the files of samples that are read next from its disks,
    without waiting for them; called only where that is worth it. If samples with numbers near each other
    are neighbours in a file, `bytes_of(indices)` tells how much of it some take.
    """

    def __len__(self) -> int: ...

    def read(self, indices: Indices) -> Outputs:
        """Reads some samples, in the order of `indices`: one `Samples` for each output of the reader.

        Raises `UnreadableError` if some of them cannot be read.
        """
        ...


class SourceOnDevice:
    """A source whose samples are handed out as data of an accelerator."""

    def __init__(self, source: SampleSource, device: int) -> None:
        self._source = source
        self._device = device

    def __len__(self) -> int:
        return len(self._source)

    @property
    def doubtful(self) -> dict[int, BadSample]:
        return getattr(self._source, "doubtful", {})

    def expect(self, indices: Indices) -> None:
        """As that of the source."""
        expect_samples(self._source, indices)

    def bytes_of(self, indices: Indices) -> float | None:
        """As that of the source."""
        return bytes_of_samples(self._source, indices)

    def read(self, indices: Indices) -> Outputs:
        """As that of the source."""
        return tuple([samples.on_device(self._device) for samples in self._source.read(indices)])


def expect_samples(source: SampleSource, indices: Indices) -> None:
    """Has the files of samples that are read next fetched from disks, if the source knows them."""
    expect = getattr(source, "expect", None)
    if expect is not None:
        expect(indices)


def bytes_of_samples(source: SampleSource, indices: Indices) -> float | None:
    """How much some samples take in a file that has many of them; None where they have files of their own."""
    bytes_of: Callable[[Indices], float | None] | None = getattr(source, "bytes_of", None)
    return None if bytes_of is None else bytes_of(indices)
