"""The sources of a loop's data: the reader or source that it iterates over, and the sources that its body reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from penstock.dynamic.sources.items import Read
from penstock.engine.errors import add_note
from penstock.engine.graph.node import NodePort, Port
from penstock.engine.hand_over import Handed
from penstock.engine.program.program import Numbering
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


def numbering(sources: Sequence[LoopSource]) -> list[Numbering]:
    """Returns the numbers of the batches that the next steps get, beginning with those that the program gets next.

    A source that is listed twice gives two batches to every step.
    """
    keepers = [source.items if isinstance(source, Read) else source for source in sources]
    return [
        Numbering(source.following + keepers[:k].count(keepers[k]), keepers.count(keepers[k]))
        for k, source in enumerate(sources)
    ]


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

    def ports(self, at: int, read: Read, kind: Kind, site: Site) -> tuple[NodePort, ...] | None:
        """Returns the ports of the read with index `at` of a step; None where the steps before read something else."""
        if at == len(self):
            first = self._first_port + sum(len(feed.ports) for feed in self)
            ports: tuple[NodePort, ...] = tuple(Port(None, first + index) for index in range(len(kind)))
            self.append(Feed(read, kind, ports, site))
        feed = self[at]
        return feed.ports if (feed.read, feed.kind) == (read, kind) else None


def with_note(error: BaseException, source: LoopSource, site: Site) -> BaseException:
    """Adds to an error that a source raised ahead of the program a note of the line that reads the source."""
    if isinstance(source, Read) and not isinstance(error, StopIteration):
        add_note(error, f"in {source.items.name}, the source of an ExternalSource, read at {site.describe()}")
    return error
