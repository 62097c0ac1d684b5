"""What a reader reads from: samples by index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from penstock._native import Samples
from penstock.readers.order import Indices

Outputs: TypeAlias = tuple[Samples, ...]


class Source(Protocol):
    """The samples of an opened data set, by index; may be asked from several threads at once."""

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


@dataclass(frozen=True)
class BadSample:
    """A sample that could not be read: its number in the data set, where it lies, and what went wrong."""

    index: int
    source: str
    error: Exception


class UnreadableError(RuntimeError):
    """Why samples of a batch cannot be read, by their position in it. As an error it speaks of the first."""

    def __init__(self, failures: Mapping[int, str | Exception], sources: Mapping[int, str] | None = None) -> None:
        self.failures = {
            position: why if isinstance(why, Exception) else RuntimeError(why)
            for position, why in sorted(failures.items())
        }
        self._sources = sources or {}
        super().__init__(str(self.first))

    @property
    def first(self) -> Exception:
        return next(iter(self.failures.values()))

    def samples(self, indices: Indices) -> list[BadSample]:
        """The samples that failed when `indices` were asked for."""
        return [BadSample(int(indices[at]), self._sources.get(at, ""), why) for at, why in self.failures.items()]
