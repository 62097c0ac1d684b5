"""Leases on sources: somebody who works ahead has fetched what another reader of the source may want first."""

from __future__ import annotations

from typing import Protocol
from weakref import ref


class LeaseHolder(Protocol):
    """Somebody who fetches before the program needs it."""

    def let_go(self) -> None:
        """Forgets all that was fetched and not handed out, so that others may fetch it."""
        ...


class LeasedSource:
    """Something to fetch from. The lease keeps nobody alive: the holder's thread refers to what it fetches from."""

    _holder: ref[LeaseHolder] | None = None

    def claim(self, by: LeaseHolder | None) -> None:
        """From now on it is fetched for `by`, or for the program itself; the holder before lets go."""
        holder = None if self._holder is None else self._holder()
        if holder is by:
            return
        if holder is not None:
            holder.let_go()
        self._holder = None if by is None else ref(by)
