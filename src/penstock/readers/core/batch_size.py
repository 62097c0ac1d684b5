"""Checks of a reader's batch size and last batches, which stay the same from its first step on."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from penstock.readers.core.order import LastBatch

_PATHS = (str, PurePath)
Use: TypeAlias = Literal["samples", "batches", "calls"]


def checked_size(batch_size: Any) -> int:
    if not isinstance(batch_size, (int, np.integer)) or batch_size < 1:
        raise RuntimeError(
            f"Invalid value for argument max_batch_size: {batch_size!r}; it and batch_size are whole numbers from 1 on"
        )
    return int(batch_size)


def checked_largest(max_batch_size: Any) -> int | None:
    """The reader's `max_batch_size`; None is no limit."""
    if max_batch_size is None:
        return None
    if not isinstance(max_batch_size, (int, np.integer)):
        hint = "; a reader's arguments are given by name: file_root=..." if isinstance(max_batch_size, _PATHS) else ""
        raise TypeError(f"max_batch_size must be an int, got {type(max_batch_size).__name__}{hint}")
    if max_batch_size < 1:
        raise ValueError(f"max_batch_size must be at least 1, got {max_batch_size}")
    return int(max_batch_size)


def check_use(use: Use, size: int, largest: int | None, started: int | None) -> None:
    """Refuses a size above the reader's `largest`, or one that differs from the size it was `started` with."""
    if use == "calls":
        _check_call(size, largest, started)
    elif started is not None and size != started:
        raise ValueError(
            f"`batch_size` {size} is different than the `max_batch_size` {started} used in the previous "
            "call; a reader keeps its batch size, make a second reader for another one"
        )
    elif largest is not None and size > largest:
        raise ValueError(
            f"`batch_size` {size} is larger than the `max_batch_size` {largest} specified when the operator was created"
        )


def checked_last(last_batch: Any, started: LastBatch | None) -> LastBatch:
    """What becomes of last batches, which must be what the reader was `started` with."""
    if last_batch not in get_args(LastBatch):
        raise ValueError(f"last_batch is one of {', '.join(map(repr, get_args(LastBatch)))}, got {last_batch!r}")
    if started is not None and last_batch != started:
        raise ValueError(
            f"Cannot change last_batch from {started!r} to {last_batch!r}; make a second reader for another one"
        )
    wanted: LastBatch = last_batch
    return wanted


def _check_call(size: int, largest: int | None, started: int | None) -> None:
    if started is not None and size != started:
        relation = "larger" if size > started else "smaller"
        raise RuntimeError(
            f"The batch size {size} is {relation} than the `max_batch_size` {started} of the first "
            "call; all calls of a reader take the same size"
        )
    if largest is not None and size > largest:
        raise RuntimeError(
            f"The batch size {size} is larger than the `max_batch_size` {largest} specified when the operator "
            "was created."
        )
