"""How the program gets what was fetched for it, so that an interrupt at any time loses nothing."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Keeper(Protocol):
    """Somebody who keeps what was fetched until the program has got it."""

    place: Any  # where the program stands; set as a whole by whoever hands something out


class Handed(NamedTuple):
    """Something for the program, or an exception; who keeps it; and where the program stands before and behind it.

    It is the program's once it is noted: ``handed.keeper.place = handed.behind``. That comes last, and without a call
    between it and the return or yield, since an interrupt comes with calls: whatever is interrupted before has changed
    nothing, and is handed out the next time. Where several threads take, the place must still be `before` at the note.
    """

    batch: Any
    keeper: Keeper
    before: Any
    behind: Any
