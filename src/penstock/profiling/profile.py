"""`Profile`: what `ndd.profile()` returns."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from penstock.engine import events
from penstock.profiling.advice import advice, is_input_bound, verdict
from penstock.profiling.collector import Collector
from penstock.profiling.report import report
from penstock.profiling.text import text
from penstock.profiling.torch_ranges import torch_range
from penstock.profiling.totals import Totals
from penstock.profiling.trace import write_trace
from penstock.values.log import log


class Profile:
    """Where the time of a program went while the block ran: how long it waited for data, and what made the data.

    It sees all threads of the process, in every evaluation mode, in compiled loops and in pipelines. `str()` of it is a
    summary. All of it may be asked for while the block still runs, and tells of the time until then.

    Example:
        >>> with ndd.profile() as p:
        ...     for jpegs, labels in reader.next_epoch(batch_size=64, compile=True):
        ...         train_step(augment(jpegs).torch(), labels.torch())
        >>> print(p)
        >>> p.html("profile.html")
        >>> p.trace("trace.json")  # for ui.perfetto.dev or chrome://tracing
    """

    def __init__(self, title: str = "profile") -> None:
        self.title = title
        self._collector = Collector()

    def __enter__(self) -> Profile:
        if self._collector.started:
            raise RuntimeError("a profile is of one block; ndd.profile() makes another one")
        self._collector.start()
        events.ranges.append(torch_range)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        events.ranges.remove(torch_range)
        self._collector.stop()
        log("INFO", "profile", "%s: %s", self.title, self.verdict)

    @property
    def totals(self) -> Totals:
        """All figures: seconds, samples, waits, steps, stages, readers, queues, threads, memory."""
        return self._collector.totals()

    @property
    def samples_per_second(self) -> float:
        return self.totals.samples_per_second

    @property
    def wait_share(self) -> float:
        """The part of the time in which the program waited for data, from 0 to 1."""
        return self.totals.wait_share

    @property
    def input_bound(self) -> bool:
        """Whether the program waited for data for a tenth of the time or more."""
        return is_input_bound(self.totals)

    @property
    def verdict(self) -> str:
        """Whether the program waits for its input, in one line."""
        return verdict(self.totals)

    @property
    def advice(self) -> list[str]:
        """What would help, the most helpful first."""
        return advice(self.totals)

    def __str__(self) -> str:
        return text(self.totals)

    def html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Returns the report as a page of HTML that needs no other file, and writes it where a path is given."""
        page = report(self.title, self.totals)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def trace(self, path: str | os.PathLike[str]) -> None:
        """Writes what happened when, in the Trace Event Format that Perfetto and chrome://tracing open.

        Every thread has a lane. Slices are named after operators and lines of the program. Arrows lead from the read of
        a batch through the work on its samples to the loop. Of long runs the last part is written.
        """
        write_trace(Path(path), self._collector, self.title)
