"""`ndd.progress`: a loop that shows how far it is, how fast, and how long it waits for data."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from penstock.engine import events
from penstock.engine.events import BatchHandedOut, ProgramWait
from penstock.viz.progress import Progress

Item = TypeVar("Item")


def shown(loop: Iterable[Item], total: int | None, title: str) -> Iterator[Item]:
    """Iterates over a loop while a bar shows its progress."""
    if total is None and isinstance(loop, Sized):
        total = len(loop)
    count = _Count()
    with events.listening(count.take, BatchHandedOut, ProgramWait), Progress(total, "batches", title) as bar:
        for number, item in enumerate(loop, start=1):
            yield item
            bar.show(number, count.text())


class _Count:
    """Samples that this thread has got, and how long it has waited for data."""

    def __init__(self) -> None:
        self._thread = threading.get_native_id()
        self._started = time.perf_counter()
        self._samples = 0
        self._waited = 0.0
        self._end = 0.0  # of the last wait

    def take(self, event: BatchHandedOut | ProgramWait) -> None:
        if event.thread != self._thread:
            return
        if isinstance(event, BatchHandedOut):
            self._samples += event.samples
        elif event.started >= self._end:
            self._waited += event.seconds
            self._end = event.started + event.seconds
        else:  # around other waits, which have been counted
            self._waited += max(0.0, event.started + event.seconds - self._end)
            self._end = max(self._end, event.started + event.seconds)

    def text(self) -> str:
        seconds = max(time.perf_counter() - self._started, 1e-9)
        said = f"input wait {self._waited / seconds:.0%}"
        return f"{self._samples / seconds:,.0f} samples/s  {said}" if self._samples else said
