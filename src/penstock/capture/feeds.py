"""The sources of a loop's data: the reader or source that it iterates over, and the sources that its body reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.dynamic.sources.items import Read
from penstock.engine.errors import add_note
from penstock.engine.graph.node import NodePort, Port
from penstock.engine.hand_over import Handed
from penstock.engine.program.source import Source
from penstock.engine.program.step import Kind
from penstock.engine.site import Site
from penstock.engine.source_lease import LeaseHolder


class LoopSource(Source, Protocol):
    """A source that a loop reads: `Prefetcher`, the batches of a reader, or `Read`, the items of a source."""

    @property
    def following(self) -> int:
        """The number of the batch that the program gets next."""
        ...

    def claim(self, by: LeaseHolder | None) -> None:
        """Takes the lease on the source; the holder before it stops fetching ahead."""
        ...

    def handed(self, fetched: Any, left: int | None = None) -> Handed:
        """Returns the batch, or the exception, of the step that begins now, ready to be handed to the program."""
        ...


@dataclass(frozen=True, slots=True)  # whose attributes are found faster than those of a NamedTuple
class Reading:
    """One of the reads of a step: it takes every `stride`-th batch of a source, from number `first` on.

    The stride is 1, unless a step reads the same source several times.
    """

    source: LoopSource
    first: int
    stride: int

    @property
    def background(self) -> bool:
        return self.source.background

    def fetch(self, number: int) -> Any:
        """Returns the batch for the step with that number, counted from the step at which running ahead began."""
        return self.source.fetch(self.first + number * self.stride)


def readings(sources: Sequence[LoopSource]) -> list[Reading]:
    """Returns one reading for each source, beginning with the batch that the program gets next.

    A source that is listed twice gives two batches to every step.
    """
    keepers = [source.items if isinstance(source, Read) else source for source in sources]
    return [
        Reading(source, source.following + keepers[:k].count(keepers[k]), keepers.count(keepers[k]))
        for k, source in enumerate(sources)
    ]


class Fetch(NamedTuple):
    """A batch or an error that a source gave to a step."""

    source: LoopSource
    fetched: Any
    kind: Kind

    @property
    def outputs(self) -> tuple[Samples, ...]:
        return self.fetched.outputs  # type: ignore[no-any-return]

    @property
    def failed(self) -> bool:
        return self.fetched.error is not None


class Feed(NamedTuple):
    """A source that the loop's body reads in every step, with the graph ports of its outputs."""

    read: Read
    kind: Kind
    ports: tuple[NodePort, ...]
    site: Site


class Feeds(list[Feed]):
    """The sources that a loop's body reads in each of its steps, in the order of the reads.

    Their ports are numbered behind those of the batch that the loop iterates over, beginning with `first_port`.
    """

    def __init__(self, first_port: int) -> None:
        super().__init__()
        self._first_port = first_port

    def ports(self, at: int, fetch: Fetch, site: Site) -> tuple[NodePort, ...] | None:
        """Returns the ports of the read with index `at` of a step; None where the steps before read something else."""
        assert isinstance(fetch.source, Read)
        if at == len(self):
            first = self._first_port + sum(len(feed.ports) for feed in self)
            ports: tuple[NodePort, ...] = tuple(Port(None, first + index) for index in range(len(fetch.outputs)))
            self.append(Feed(fetch.source, fetch.kind, ports, site))
        feed = self[at]
        return feed.ports if (feed.read, feed.kind) == (fetch.source, fetch.kind) else None


def with_note(error: BaseException, source: LoopSource, site: Site) -> BaseException:
    """Adds to an error that a source raised ahead of the program a note of the line that reads the source."""
    if isinstance(source, Read) and not isinstance(error, StopIteration):
        add_note(error, f"in {source.items.name}, the source of an ExternalSource, read at {site.describe()}")
    return error
