"""Leases on sources: at most one consumer fetches ahead from a source at a time.

A compiled loop has fetched batches that it has not handed over yet. Another consumer of the source must get these
batches first, so it takes the lease, and the loop gives up what it has fetched.
"""

from __future__ import annotations

from typing import Protocol
from weakref import ref


class LeaseHolder(Protocol):
    """A consumer that fetches ahead."""

    def let_go(self) -> None:
        """Gives up all that was fetched and not handed over, so that others may fetch it."""
        ...


class LeasedSource:
    """A source that can be leased. It refers to the holder weakly, since the holder's thread refers to the source."""

    _holder: ref[LeaseHolder] | None = None

    def claim(self, by: LeaseHolder | None) -> None:
        """Gives the lease to `by`, or to nobody (the program itself reads); the holder before gives up what it has."""
        holder = None if self._holder is None else self._holder()
        if holder is by:
            return
        if holder is not None:
            holder.let_go()
        self._holder = None if by is None else ref(by)
