"""Samples that cannot be read or decoded, and what their names are in every part of the library."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from penstock._native import Samples

OnErrorMode = Literal["raise", "skip", "replace"]
_POLICIES = ("raise", "skip", "replace")


@dataclass(frozen=True)
class BadSample:
    """A sample that could not be read: its number in the data set, where it lies, and what went wrong.

    The number is its place in the batch where it comes from no data set. A `warning` is about a sample that was handed
    out all the same.
    """

    index: int
    source: str
    error: Exception
    warning: bool = False

    @classmethod
    def of_unknown_length(cls, index: int, source: str) -> BadSample:
        """A warning that a file may have been cut off, for all that can be known."""
        told = f"{source or 'the file'} does not say how long it is; if it was cut off, that cannot be known"
        return cls(index, source, RuntimeWarning(told), warning=True)


class UnreadableError(RuntimeError):
    """Why samples of a batch cannot be read, by their position in it. As an error it speaks of the first.

    `read` is the batch where all others could be, with anything in the places of these.
    """

    def __init__(
        self,
        failures: Mapping[int, str | Exception],
        sources: Mapping[int, str] | None = None,
        read: Samples | None = None,
    ) -> None:
        self.failures = {
            position: why if isinstance(why, Exception) else RuntimeError(why)
            for position, why in sorted(failures.items())
        }
        self._sources = sources or {}
        self.read = read
        super().__init__(str(self.first))

    @property
    def first(self) -> Exception:
        return next(iter(self.failures.values()))

    def samples(self, indices: npt.NDArray[np.int64]) -> list[BadSample]:
        """The samples that failed when `indices` were asked for."""
        return [BadSample(int(indices[at]), self._sources.get(at, ""), why) for at, why in self.failures.items()]


class _Doubts(threading.local):
    found: list[BadSample] | None = None


_doubts = _Doubts()


@contextmanager
def collected_doubts() -> Iterator[list[BadSample]]:
    """Warnings of what this thread decodes in the block."""
    before, _doubts.found = _doubts.found, []
    try:
        yield _doubts.found
    finally:
        _doubts.found = before


def doubt_length(samples: Samples, places: Iterable[int]) -> None:
    """Notes that the files at these places of a batch do not say how long they are, if somebody collects that."""
    if _doubts.found is not None:
        indices, sources = samples.indices, samples.sources
        for at in places:
            index, source = at if indices is None else int(indices[at]), sources[at] if sources else ""
            _doubts.found.append(BadSample.of_unknown_length(index, source))


def checked(on_error: Any) -> Any:
    """What is to be done about bad samples: "raise", "skip", "replace" or a function."""
    if on_error is None:
        return "raise"
    if on_error not in _POLICIES and not callable(on_error):
        raise ValueError(f"on_error is 'raise', 'skip', 'replace' or a function, got {on_error!r}")
    return on_error


def is_about_data(error: Exception) -> bool:
    """Whether an error tells of a sample. Where memory or a package is missing, the next sample will fail as well."""
    return not isinstance(error, (MemoryError, ImportError))
