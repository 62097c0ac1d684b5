"""The sources of a program's data: numbered batches that are fetched ahead of the consumer."""

from __future__ import annotations

from typing import Protocol

from penstock._native import Samples


class Fetched(Protocol):
    """A batch of a source, or the error that fetching it raised."""

    @property
    def outputs(self) -> tuple[Samples, ...]:
        """The samples of the batch; empty where there is an error."""
        ...

    @property
    def error(self) -> BaseException | None: ...

    @property
    def single(self) -> bool:
        """Whether the outputs are single samples instead of batches."""
        ...


class Source(Protocol):
    """Batches with consecutive numbers. The source keeps each one until it has been handed to the user's program.

    Until then a batch may be fetched any number of times. So a step that was made ahead can be discarded and made
    again without rewinding anything: after an interrupt, in a forked child, or where its plan is no longer valid.
    """

    @property
    def background(self) -> bool:
        """Whether any thread may be the first to fetch a batch.

        Sources that run the user's code are called in the user's thread, so that the code does not run in parallel with
        the rest of the user's program. Other threads then fetch what is there already.
        """
        ...

    def fetch(self, number: int) -> Fetched:
        """Returns the batch with that number. Batches are first fetched in order; an error is part of the result."""
        ...
