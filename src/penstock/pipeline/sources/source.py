"""The interface of a pipeline's sources, and the source that reads with a reader."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.engine.program.source import Source
from penstock.readers.core.prefetch import FetchedBatch, Prefetcher
from penstock.readers.core.reader import Reader


class SourceBatch(NamedTuple):
    """The batch that a source gave for one iteration, or the error it gave instead."""

    outputs: tuple[Samples, ...]
    error: BaseException | None = None
    single: bool = False


class PipelineSource(Source, Protocol):
    """A source that gives a batch to every iteration of a pipeline; batches have the numbers of the iterations."""

    path: str

    def afresh(self) -> PipelineSource:
        """Returns a source with the same arguments and a queue of its own, for another pipeline."""
        ...

    def start(self, batch_size: int, iteration: int) -> None:
        """Starts the source when the pipeline is built; the first batch is that of `iteration`."""
        ...

    def hand_out(self, before: int) -> None:
        """Drops what was kept for iterations with lower numbers: the program has got them."""
        ...

    def rewind(self) -> None:
        """Forgets, in a forked child, what threads of the parent fetched, so that it is fetched again."""
        ...

    def reset(self, iteration: int) -> None:
        """Begins a new epoch with that iteration, after a source of the pipeline was exhausted."""
        ...

    def state(self) -> Any:
        """Returns the state of the source, as a value that JSON can represent."""
        ...

    def restore(self, state: Any) -> None:
        """Continues from a state; called before `start`."""
        ...


class ReaderSource:
    """A reader as an endless source: its epochs follow each other without a gap."""

    background = True

    def __init__(self, path: str, kind: type[Reader], arguments: dict[str, Any]) -> None:
        self.path = path
        self._kind = kind
        self.arguments = arguments
        self.reader = kind(**arguments)  # opens nothing yet, but checks the arguments
        self._batches: Prefetcher | None = None
        self._fetched: dict[int, list[FetchedBatch]] = {}  # by iteration, for those that the program has not got yet

    def afresh(self) -> ReaderSource:
        return ReaderSource(self.path, self._kind, self.arguments)

    def take_seed(self, seed: int) -> None:
        """Makes the reader anew with a seed that the pipeline gives."""
        self.reader = self._kind(**{**self.arguments, "seed": seed})

    def start(self, batch_size: int, iteration: int) -> None:
        self._batches = self.reader._batches(batch_size)

    def fetch(self, number: int) -> FetchedBatch:
        """Returns the batch of an iteration: the next one with samples, since all samples of a batch may be bad.

        The empty ones are kept with it, to be handed out together.
        """
        assert self._batches is not None
        fetched = self._fetched.setdefault(number, [])
        before = self._fetched.get(number - 1)
        following = before[-1].number + 1 if before else self._batches.place.number
        while not fetched or (fetched[-1].error is None and not fetched[-1].outputs):
            fetched.append(self._batches.fetch(fetched[-1].number + 1 if fetched else following))
        return fetched[-1]

    def hand_out(self, before: int) -> None:
        assert self._batches is not None
        for iteration in [*self._fetched]:
            if iteration < before:
                for fetched in self._fetched[iteration]:
                    self._batches.hand_out(fetched)
                self._fetched.pop(iteration, None)

    def rewind(self) -> None:
        self._fetched.clear()

    def reset(self, iteration: int) -> None:
        """Does nothing: readers keep their position."""

    def state(self) -> str:
        return str(self.reader.get_state())

    def restore(self, state: str) -> None:
        self.reader.set_state(state)
