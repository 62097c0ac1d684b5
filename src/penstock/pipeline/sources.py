"""Where the data of a pipeline comes from: readers, callbacks, and what the program feeds."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.readers.core.prefetch import Fetched, Prefetcher
from penstock.readers.core.reader import Reader


class Fetch(NamedTuple):
    """What a source gave for one iteration, or why it gave nothing."""

    outputs: tuple[Samples, ...]
    error: Exception | None = None


class Source(Protocol):
    """A part of a pipeline that is asked for a batch in every iteration.

    What was fetched stays with its source until the program has got the iteration, so it can be fetched again.
    """

    path: str
    # Whether the thread that runs ahead asks for batches. Code of the program's own runs in its own thread, in `run()`,
    # where nothing it uses can change under it.
    background: bool

    def afresh(self) -> Source:
        """A source like this one for another pipeline, where it is not asked to give to both."""
        ...

    def start(self, batch_size: int, iteration: int) -> None:
        """Called once, as the pipeline is built, which goes on with that iteration."""
        ...

    def fetch(self, iteration: int) -> Fetch:
        """The batch for an iteration, each following the one before; StopIteration where there is none."""
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
        self._fetched: dict[int, list[Fetched]] = {}  # for iterations that the program has not got

    def afresh(self) -> ReaderSource:
        return ReaderSource(self.path, self._kind, self.arguments)

    def take_seed(self, seed: int) -> None:
        """Shuffles by a seed that the pipeline gives."""
        self.reader = self._kind(**{**self.arguments, "seed": seed})

    def start(self, batch_size: int, iteration: int) -> None:
        self._batches = self.reader._batches(batch_size)

    def fetch(self, iteration: int) -> Fetch:
        assert self._batches is not None
        fetched = self._fetched.setdefault(iteration, [])
        while True:
            if fetched:
                batch = fetched[-1].batch
                if isinstance(batch, Exception):
                    return Fetch((), batch)
                if batch.outputs:  # a shard may end in samples that cannot be read
                    return Fetch(batch.outputs)
            fetched.append(self._batches.fetch())

    def hand_out(self, before: int) -> None:
        assert self._batches is not None
        for iteration in [*self._fetched]:
            if iteration < before:
                for fetched in self._fetched[iteration]:
                    self._batches.hand_out(fetched)
                self._fetched.pop(iteration, None)

    def rewind(self) -> None:
        assert self._batches is not None
        self._fetched.clear()
        self._batches.rewind()

    def reset(self, iteration: int) -> None:
        """Readers keep their position."""

    def state(self) -> str:
        return str(self.reader.get_state())

    def restore(self, state: str) -> None:
        self.reader.set_state(state)
