"""The hand-over of fetched batches to the user's program, safe against interrupts at any time."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Keeper(Protocol):
    """An object that keeps what was fetched until it has been handed over."""

    place: Any  # the cursor: how far the program has got; replaced as a whole at each hand-over


class Handed(NamedTuple):
    """A batch for the program, or an exception; its keeper; and the keeper's cursor before and after the hand-over.

    The assignment ``handed.keeper.place = handed.behind`` is the hand-over. It comes last, with no call between it and
    the return or yield, because interrupts are raised at calls: one that comes earlier has changed nothing, and the
    same batch is handed over the next time. Where several threads may take the same batch, each deletes an item of a
    list or dict before: that is no call either, and only one of them can do it, with or without an interpreter lock.
    """

    batch: Any
    keeper: Keeper
    before: Any
    behind: Any
