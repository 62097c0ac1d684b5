"""Where the data of a pipeline comes from: readers, callbacks, and what the program feeds."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.engine.program.source import Source
from penstock.readers.core.prefetch import FetchedBatch, Prefetcher
from penstock.readers.core.reader import Reader


class SourceBatch(NamedTuple):
    """What a source gave for one iteration, or why it gave nothing."""

    outputs: tuple[Samples, ...]
    error: BaseException | None = None

    @property
    def single(self) -> bool:
        return False


class PipelineSource(Source, Protocol):
    """A part of a pipeline that is asked for a batch in every iteration; their numbers are those of its batches."""

    path: str

    def afresh(self) -> PipelineSource:
        """A source like this one for another pipeline, where it is not asked to give to both."""
        ...

    def start(self, batch_size: int, iteration: int) -> None:
        """Called once, as the pipeline is built, which goes on with that iteration."""
        ...

    def hand_out(self, before: int) -> None:
        """The program has got the iterations with lower numbers."""
        ...

    def rewind(self) -> None:
        """In a forked child: what was fetched by threads that are gone is fetched again."""
        ...

    def reset(self, iteration: int) -> None:
        """Begins a new epoch with that iteration, a source of the pipeline being exhausted."""
        ...

    def state(self) -> Any:
        """Where the program stands, as something JSON can hold."""
        ...

    def restore(self, state: Any) -> None:
        """Goes on from a state; called before `start`."""
        ...


class ReaderSource:
    """A reader, which is endless in a pipeline: epochs follow each other without a gap."""

    background = True

    def __init__(self, path: str, kind: type[Reader], arguments: dict[str, Any]) -> None:
        self.path = path
        self._kind = kind
        self.arguments = arguments
        self.reader = kind(**arguments)  # opens nothing yet, but refuses what is wrong
        self._batches: Prefetcher | None = None
        self._fetched: dict[int, list[FetchedBatch]] = {}  # for iterations that the program has not got

    def afresh(self) -> ReaderSource:
        return ReaderSource(self.path, self._kind, self.arguments)

    def take_seed(self, seed: int) -> None:
        """Shuffles by a seed that the pipeline gives."""
        self.reader = self._kind(**{**self.arguments, "seed": seed})

    def start(self, batch_size: int, iteration: int) -> None:
        self._batches = self.reader._batches(batch_size)

    def prepare(self, number: int) -> None:
        """Nothing: a reader may be read in any thread."""

    def fetch(self, number: int) -> FetchedBatch:
        """The batch of an iteration: the first that has samples, since a shard may end in some that cannot be read."""
        assert self._batches is not None
        fetched = self._fetched.setdefault(number, [])
        before = self._fetched.get(number - 1)
        following = before[-1].number + 1 if before else self._batches.following
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
        """Readers keep their position."""

    def state(self) -> str:
        return str(self.reader.get_state())

    def restore(self, state: str) -> None:
        self.reader.set_state(state)
