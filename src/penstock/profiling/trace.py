"""A profile in the Trace Event Format, which Perfetto and chrome://tracing open.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU describes it. Slices of a lane lie
inside of each other or side by side; times are microseconds, cut to whole nanoseconds first so that they still do.
"""

from __future__ import annotations

import json
import os
import threading
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from penstock.engine.events import BatchHandedOut, BatchRead, ProgramWait, QueueTake, StageRun
from penstock.engine.explanation import shown
from penstock.profiling.collector import Collector, WorkerSpan

Json = dict[str, Any]


class _Point(NamedTuple):
    """A place that a flow goes through: a time inside of a slice of a thread."""

    at: float
    thread: int


def write_trace(path: Path, collector: Collector, title: str) -> None:
    """Writes the events that a collector has kept."""
    collector.totals()  # adds up what is still put aside, and keeps it
    trace = _Trace(collector, title)
    path.write_text(json.dumps({"traceEvents": trace.events(), "displayTimeUnit": "ms"}), encoding="utf-8")


class _Trace:
    def __init__(self, collector: Collector, title: str) -> None:
        self._collector = collector
        self._title = title
        self._process = os.getpid()
        self._events: list[Json] = []
        self._lanes: dict[int, str] = {}
        self._kept = [*collector.kept]
        self._reads: dict[int, list[BatchRead]] = {}  # by key; a key is used again when its batch is gone
        self._flows = 0

    def events(self) -> list[Json]:
        """Returns all events of the trace, those about lanes first."""
        for event in self._of(BatchRead):
            self._reads.setdefault(event.batch, []).append(event)
        for each in self._reads.values():
            each.sort(key=lambda read: read.started)
        self._add_reads()
        self._add_waits()
        bodies = self._add_bodies()
        self._add_stages(bodies)
        self._add_workers()
        self._add_counters()
        return [*self._about_lanes(), *self._events]

    def _of(self, kind: type[Any]) -> Iterator[Any]:
        return (event for event in self._kept if type(event) is kind)

    def _nanoseconds_in(self, at: float) -> int:
        """How far into the block that was; what another thread had begun before is shown from there on."""
        return max(0, _nanoseconds(at - self._collector.started))

    def _slice(self, name: str, kind: str, thread: int, start: float, end: float, **about: Any) -> None:
        begun = self._nanoseconds_in(start)
        lasted = max(0, self._nanoseconds_in(end) - begun)
        self._lanes.setdefault(thread, "")
        self._events.append(
            {"ph": "X", "name": name, "cat": kind, "pid": self._process, "tid": thread, "ts": begun / 1e3,
             "dur": lasted / 1e3, "args": about}
        )  # fmt: skip

    def _named(self, what: str, site: Any) -> str:
        return f"{shown(what)}  {self._collector.place_of(site)[0]}"

    def _add_reads(self) -> None:
        for read in self._of(BatchRead):
            if read.thread != self._collector.thread:  # else the program came before the batch was begun
                self._lanes[read.thread] = f"reads ahead: {read.reader}"
            about = {
                "samples": read.samples,
                "bytes": read.bytes,
                "cpu_ms": 1e3 * read.cpu,
                "wait_ms": 1e3 * read.waited,
            }
            self._slice(
                self._named(read.reader, read.site), "read", read.thread, read.started, read.started + read.seconds,
                **about,
            )  # fmt: skip

    def _add_waits(self) -> None:
        for wait in self._of(ProgramWait):
            name = f"wait for {self._named(wait.what, wait.site)}"
            line = self._collector.place_of(wait.site)[1]
            self._slice(name, "wait", wait.thread, wait.started, wait.started + wait.seconds, line=line)

    def _add_bodies(self) -> dict[int, list[_Point]]:
        """Adds what the program does with each batch, until it asks for the next one; returns where, by key."""
        asked: dict[int, list[float]] = {}
        for wait in self._of(ProgramWait):
            if wait.what.startswith("next "):
                asked.setdefault(wait.thread, []).append(wait.started)
        for starts in asked.values():
            starts.sort()
        found: dict[int, list[_Point]] = {}
        for number, batch in enumerate(self._of(BatchHandedOut), start=1):
            starts = asked.get(batch.thread, [])
            following = bisect_right(starts, batch.at)
            end = starts[following] if following < len(starts) else max(self._collector.ended, batch.at)
            self._slice(
                f"batch {number} of {batch.source}", "program", batch.thread, batch.at, end, samples=batch.samples
            )
            found.setdefault(batch.batch, []).append(_Point(batch.at, batch.thread))
        return found

    def _add_stages(self, bodies: dict[int, list[_Point]]) -> None:
        results: dict[int, list[ProgramWait]] = {}
        for wait in self._of(ProgramWait):
            if not wait.what.startswith("next "):
                results.setdefault(wait.batch, []).append(wait)
        for stage in self._of(StageRun):
            end = stage.started + stage.seconds
            name = " + ".join(map(shown, stage.operators))
            about = {"samples": stage.samples, "ways": [way for way, _ in stage.passes]}
            self._slice(name, "stage", stage.thread, stage.started, end, **about)
            read = self._read_of(stage)
            for position, times in stage.times:
                self._add_laps(stage, position, times.laps(), read, bodies, results)

    def _read_of(self, stage: StageRun) -> BatchRead | None:
        reads = self._reads.get(stage.batch, []) if stage.batch else []
        at = bisect_right([read.started for read in reads], stage.started)
        return reads[at - 1] if at else None

    def _add_laps(
        self,
        stage: StageRun,
        position: int,
        laps: list[tuple[int, int, int, int, float, float]],
        read: BatchRead | None,
        bodies: dict[int, list[_Point]],
        results: dict[int, list[ProgramWait]],
    ) -> None:
        """Adds what each worker did: a slice for every sample that was timed, and those of its steps inside."""
        samples: dict[int, list[tuple[int, int, int, int, float, float]]] = {}
        for lap in laps:
            samples.setdefault(lap[0], []).append(lap)
        names = {slow.sample: slow.source for slow in stage.slowest}
        for sample, steps in samples.items():
            thread, start, end = steps[0][1], steps[0][4], steps[-1][5]
            about = {"file": names[sample]} if names.get(sample) else {}
            self._slice(f"sample {sample}", "sample", thread, start, end, **about)
            for _, _, first, last, began, ended in steps:
                calls = range(position + first, position + last + 1)
                name = " + ".join(self._named(stage.operators[call], stage.sites[call]) for call in calls)
                self._slice(name, "step", thread, began, ended)
            if read is not None:
                behind = _first_after(read.started, bodies.get(stage.batch, []))
                awaited = [
                    _Point(wait.started + wait.seconds - 1e-9, wait.thread)  # its end, where all inside of it is over
                    for wait in results.get(stage.batch, ())
                    if wait.started + wait.seconds > end and wait.started < end
                ]
                self._flow([_Point(read.started, read.thread), _Point(start, thread), *behind, *awaited[:1]])

    def _flow(self, points: list[_Point]) -> None:
        """Adds an arrow through points, in the order of their times."""
        points = sorted(points)
        self._flows += 1
        for number, point in enumerate(points):
            phase = "s" if not number else "f" if number == len(points) - 1 else "t"
            arrow: Json = {
                "ph": phase, "id": self._flows, "name": "sample", "cat": "flow", "pid": self._process,
                "tid": point.thread, "ts": self._nanoseconds_in(point.at) / 1e3,
            }  # fmt: skip
            self._events.append(arrow | ({"bp": "e"} if phase != "s" else {}))

    def _add_workers(self) -> None:
        """Adds the work of the threads that read files for readers, which have slices of their own."""
        readers = self._collector.readers_by_thread()
        for span in self._of(WorkerSpan):
            if span.pool == self._collector.reading_pool and span.thread not in readers:
                number = len([name for name in self._lanes.values() if name.startswith("reads files")])
                self._lanes.setdefault(span.thread, f"reads files {number + 1}")
                self._slice("read files", "work", span.thread, span.start, span.end, cpu_ms=1e3 * span.cpu)

    def _add_counters(self) -> None:
        for take in self._of(QueueTake):
            name = f"ready in {take.queue.removeprefix('penstock-')}"
            ts = self._nanoseconds_in(take.at) / 1e3
            self._events.append(
                {"ph": "C", "name": name, "cat": "queue", "pid": self._process, "tid": 0, "ts": ts,
                 "args": {"ready": take.ready}}
            )  # fmt: skip
        for point in self._collector.totals().memory:
            self._events.append(
                {"ph": "C", "name": "arena", "cat": "memory", "pid": self._process, "tid": 0,
                 "ts": _nanoseconds(point.at) / 1e3, "args": {"live": point.live, "kept": point.kept}}
            )  # fmt: skip

    def _about_lanes(self) -> Iterator[Json]:
        about: Json = {"ph": "M", "pid": self._process, "ts": 0, "cat": "__metadata"}
        yield about | {"name": "process_name", "tid": 0, "args": {"name": f"penstock: {self._title}"}}
        python = {thread.native_id: thread.name for thread in threading.enumerate()}
        workers = 0
        for order, thread in enumerate(sorted(self._lanes, key=self._rank)):
            name = self._lanes[thread] or python.get(thread, "")
            if not name:
                workers += 1
                name = f"worker {workers}"
            yield about | {"name": "thread_name", "tid": thread, "args": {"name": name}}
            yield about | {"name": "thread_sort_index", "tid": thread, "args": {"sort_index": order}}

    def _rank(self, thread: int) -> tuple[int, int]:
        """The program first, then readers, then the others."""
        return (0 if thread == self._collector.thread else 1 if self._lanes[thread] else 2), thread


def _first_after(start: float, points: list[_Point]) -> list[_Point]:
    return [point for point in points if point.at >= start][:1]


def _nanoseconds(seconds: float) -> int:
    return round(1e9 * seconds)
