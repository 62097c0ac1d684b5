"""Where the data of a loop comes from: its reader or source, and the sources that its body reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.dynamic.items import Read
from penstock.engine.errors import add_note
from penstock.engine.graph.node import NodePort, Port
from penstock.engine.hand_over import Handed
from penstock.engine.program.source import Source
from penstock.engine.program.step import Kind
from penstock.engine.site import Site
from penstock.engine.source_lease import LeaseHolder
from penstock.readers.core.prefetch import Prefetcher


class LoopSource(Source, Protocol):
    """A source that a loop reads: `Prefetcher`, the batches of a reader, or `Read`, the items of a source."""

    @property
    def following(self) -> int:
        """The number of the batch that the program gets next."""
        ...

    def claim(self, by: LeaseHolder | None) -> None:
        """Has whoever else fetches ahead let go."""
        ...

    def handed(self, fetched: Any, left: int | None = None) -> Handed:
        """The batch of the step that begins now, or an exception."""
        ...


class Reading(NamedTuple):
    """What the steps of a loop read at one place of them: every `stride`-th batch of a source."""

    source: LoopSource
    first: int
    stride: int

    @property
    def background(self) -> bool:
        return self.source.background

    def prepare(self, number: int) -> BaseException | None:
        return self.source.prepare(self.first + number * self.stride)

    def fetch(self, number: int) -> Any:
        """The batch for the step with that number, counted from where the loop stood."""
        return self.source.fetch(self.first + number * self.stride)


def readings(sources: Sequence[LoopSource]) -> list[Reading]:
    """How a step reads these sources from where the program stands; one that it reads twice gives it two batches."""
    keepers = [source.items if isinstance(source, Read) else source for source in sources]
    return [
        Reading(source, source.following + keepers[:k].count(keepers[k]), keepers.count(keepers[k]))
        for k, source in enumerate(sources)
    ]


class Fetch(NamedTuple):
    """What a step has from one of its sources."""

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
    """A source that the loop's body reads, at its place in the order of all that it reads."""

    read: Read
    kind: Kind
    ports: tuple[NodePort, ...]
    site: Site


class Feeds(list[Feed]):
    """What a loop's body reads in each of its steps, in its order."""

    def __init__(self, first_port: int) -> None:
        super().__init__()
        self._first_port = first_port

    def ports(self, at: int, fetch: Fetch, site: Site) -> tuple[NodePort, ...] | None:
        """The ports of what is read at a place; None where something else was read there in the steps before."""
        assert isinstance(fetch.source, Read)
        if at == len(self):
            first = self._first_port + sum(len(feed.ports) for feed in self)
            ports: tuple[NodePort, ...] = tuple(Port(None, first + index) for index in range(len(fetch.outputs)))
            self.append(Feed(fetch.source, fetch.kind, ports, site))
        feed = self[at]
        return feed.ports if (feed.read, feed.kind) == (fetch.source, fetch.kind) else None


def splits_batches(source: LoopSource, handed: Handed) -> bool:
    """Whether only a part of a reader's batch was handed out, the rest of it being the next one."""
    return isinstance(source, Prefetcher) and handed.behind.rest is not None


def with_note(error: BaseException, source: LoopSource, site: Site) -> BaseException:
    """What a source raised ahead of the program; with a note of where the program reads it."""
    if isinstance(source, Read) and not isinstance(error, StopIteration):
        add_note(error, f"in {source.items.name}, the source of an ExternalSource, read at {site.describe()}")
    return error
