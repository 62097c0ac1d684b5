"""Where the data of a loop comes from: its reader or source, and the sources that its body reads."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from penstock._native import Samples
from penstock.dynamic.items import Read
from penstock.engine.claims import Holder
from penstock.engine.errors import add_note
from penstock.engine.graph.node import NodePort, Port
from penstock.engine.hand_over import Handed
from penstock.engine.site import Site
from penstock.values.spec import Spec, spec_of

# The specs of what a step is given and its numbers of samples, None for a Tensor: other data is another loop.
Kind = tuple[tuple[Spec, int | None], ...]


class Inlet(Protocol):
    """Data that is fetched first, ahead of the loop, and handed out later: `Prefetcher` and `Read` are inlets.

    What is fetched has a `batch`: something with `outputs`, or the exception that stands in its place.
    """

    def claim(self, by: Holder | None) -> None:
        """Has whoever else fetches ahead give back what is left."""
        ...

    def fetch(self) -> Any:
        """What comes next. Never raises."""
        ...

    def handed(self, fetched: Any, left: int | None = None) -> Handed:
        """The batch of the step that begins now, or an exception."""
        ...

    def rewind(self) -> None:
        """All that was fetched and not handed out is fetched again."""
        ...

    def prepare(self, count: int) -> None:
        """So many will be fetched by another thread: what only the program's own may do for them is done now."""
        ...


class Fetch:
    """Something fetched from an inlet."""

    __slots__ = ("failed", "fetched", "inlet", "kind", "outputs")

    def __init__(self, inlet: Inlet, fetched: Any) -> None:
        batch = fetched.batch
        self.inlet = inlet
        self.fetched = fetched
        self.failed = isinstance(batch, BaseException)
        self.outputs: tuple[Samples, ...] = () if self.failed else batch.outputs
        single = getattr(batch, "single", False)
        self.kind: Kind = tuple([(spec_of(samples), None if single else len(samples)) for samples in self.outputs])


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
        assert isinstance(fetch.inlet, Read)
        if at == len(self):
            first = self._first_port + sum(len(feed.ports) for feed in self)
            ports: tuple[NodePort, ...] = tuple(Port(None, first + index) for index in range(len(fetch.outputs)))
            self.append(Feed(fetch.inlet, fetch.kind, ports, site))
        feed = self[at]
        return feed.ports if (feed.read, feed.kind) == (fetch.inlet, fetch.kind) else None


def told(error: BaseException, inlet: Inlet, site: Site) -> BaseException:
    """What a source raised ahead of the program; with a note of where the program reads it."""
    if isinstance(inlet, Read) and not isinstance(error, StopIteration):
        add_note(error, f"in {inlet.items.name}, the source of an ExternalSource, read at {site.describe()}")
    return error
