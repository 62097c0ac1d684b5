"""Where the data of a program comes from: batches with numbers, which are fetched before the program needs them."""

from __future__ import annotations

from typing import Protocol

from penstock._native import Samples


class Fetched(Protocol):
    """A batch of a source, or why there is none."""

    @property
    def outputs(self) -> tuple[Samples, ...]:
        """Nothing where there is an error."""
        ...

    @property
    def error(self) -> BaseException | None: ...

    @property
    def single(self) -> bool:
        """Whether the outputs are single samples instead of batches."""
        ...


class Source(Protocol):
    """Batches with consecutive numbers. Each stays with its source until the program has got it.

    So a batch may be fetched any number of times before that, which is all there is to making a step again: after an
    interrupt, in a forked child, or because the step was made with a plan that does not hold any more.
    """

    @property
    def background(self) -> bool:
        """Whether any thread may fetch what was not fetched yet.

        Code of the program's own runs in its own thread, where nothing it uses can change meanwhile.
        """
        ...

    def prepare(self, number: int) -> BaseException | None:
        """Called in the program's own thread: gets ready what another thread will fetch, and tells what went wrong."""
        ...

    def fetch(self, number: int) -> Fetched:
        """The batch with that number, each fetched after the one before it. What goes wrong is part of the result."""
        ...
