"""`ndd.profile` and `ndd.progress`: where the time of a loop goes, and how far it is."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from penstock.profiling.profile import Profile

Item = TypeVar("Item")


def profile(title: str = "profile") -> Profile:
    """Finds out where the time goes while a block runs: whether the program waits for data, and for which step.

    It sees eager and compiled loops, pipelines and readers, on all threads. On, it is made to take less than 2 % of the
    time of a loop over images; off, nothing. Profiles may be nested.

    Example:
        >>> with ndd.profile() as p:
        ...     for jpegs, labels in reader.next_epoch(batch_size=64, compile=True):
        ...         train_step(augment(jpegs).torch(), labels.torch())
        >>> print(p)
        >>> p.html("profile.html")
        >>> p.trace("trace.json")

    Args:
        title: What the report is headed by.
    """
    made: Profile = importlib.import_module("penstock.profiling.profile").Profile(title)
    return made


def progress(loop: Iterable[Item], total: int | None = None, title: str = "") -> Iterator[Item]:
    """Goes through a loop and shows samples per second, how long it waits for data, and how long the rest will take.

    On a terminal there is a bar, elsewhere a plain line every ten seconds. tqdm and rich.progress.track may be put
    around the same loops: an epoch has a length.

    Example:
        >>> for jpegs, labels in ndd.progress(reader.next_epoch(batch_size=64)):
        ...     train_step(augment(jpegs).torch(), labels.torch())

    Args:
        loop: An epoch of a reader, a loader, or any other iterable of batches.
        total: The number of batches, where the loop has no length.
        title: What is shown before the bar.
    """
    made: Iterator[Item] = importlib.import_module("penstock.profiling.progress").shown(loop, total, title)
    return made
