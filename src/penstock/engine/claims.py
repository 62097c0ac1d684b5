"""Whose turn it is to fetch: somebody who works ahead has fetched what others may want first."""

from __future__ import annotations

from typing import Protocol
from weakref import ref


class Holder(Protocol):
    """Somebody who fetches before the program needs it."""

    def let_go(self) -> None:
        """Gives back all that was fetched and is not handed out."""
        ...


class Claimable:
    """Something to fetch from. Being held keeps nobody alive: the holder's thread refers to what it fetches from."""

    _holder: ref[Holder] | None = None

    def claim(self, by: Holder | None) -> None:
        """From now on it is fetched for `by`, or for the program itself; whoever held it gives back what is left."""
        holder = None if self._holder is None else self._holder()
        if holder is by:
            return
        if holder is not None:
            holder.let_go()
        self._holder = None if by is None else ref(by)
