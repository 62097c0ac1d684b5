"""Adds up the engine's events while a program runs.

Events come from several threads, in the middle of their work. They are only put aside there, and added up a few hundred
at a time; a thread that finds another one doing so goes on.
"""

from __future__ import annotations

import heapq
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from penstock import _native
from penstock.engine import events
from penstock.engine.events import BatchHandedOut, BatchRead, Event, ProgramWait, QueueTake, StageRun
from penstock.engine.explanation import place, shown
from penstock.engine.site import Site
from penstock.engine.threads import get_num_threads
from penstock.profiling.totals import (
    MemoryPoint,
    QueuePoint,
    QueueTotal,
    ReaderTotal,
    Slowest,
    StageTotal,
    StepTotal,
    ThreadTotal,
    Totals,
    WaitTotal,
)
from penstock.storage.storage import reading_pool

_FOLDED_TOGETHER = 256
_SLOWEST = 10
_MOST_POINTS = 1024
# What the trace remembers: about 20 MB. Of longer runs it shows the end.
_MOST_KEPT = 200_000


class WorkerSpan(NamedTuple):
    """A time in which a thread worked for a pool, which has a key and so many threads."""

    pool: int
    threads: int
    thread: int
    start: float
    end: float
    cpu: float


class Collector:
    """Listens from `start` to `stop`. `kept` are the events themselves, the last ones of a long run."""

    def __init__(self) -> None:
        self.kept: deque[Event | WorkerSpan] = deque()
        self.started = self.ended = 0.0
        self.thread = 0  # the one that began to profile
        self._weight = 0
        self._pending: deque[Event] = deque()
        self._folding = threading.Lock()
        self._log = 0
        self._end_subscription: Callable[[], None] | None = None
        self._places: dict[tuple[int, int], tuple[str, str, Site]] = {}
        self._stages: dict[Any, tuple[StageTotal, dict[tuple[int, int], StepTotal]]] = {}
        self._readers: dict[tuple[str, str], ReaderTotal] = {}
        self._reading: dict[int, str] = {}  # readers by thread; a program that finds nothing ready reads for itself
        self._queues: dict[int, QueueTotal] = {}
        self._waits: dict[tuple[str, str], list[float]] = {}
        self._waited_until: dict[int, list[tuple[float, float]]] = {}
        self._waited: dict[int, float] = {}
        self._handed: dict[int, list[int]] = {}
        self._last_stages: dict[str, StageRun] = {}  # by their last operators, as they are sampled
        self._last_waits: dict[str, ProgramWait] = {}
        self._slowest: list[tuple[float, int, Slowest]] = []
        self._numbers = 0
        self._threads: dict[int, ThreadTotal] = {}
        self._memory: list[MemoryPoint] = []
        self._rates: deque[tuple[float, int]] = deque(maxlen=8192)
        self._cpu = 0.0
        self._pool_threads = 0
        self.reading_pool = reading_pool().key

    def start(self) -> None:
        self.thread = threading.get_native_id()
        _, self._log = _native.worker_spans(0)
        self._cpu = time.process_time()
        self._end_subscription = events.subscribe(self.take, sampled=True)
        self.started = self.ended = time.perf_counter()

    def stop(self) -> None:
        self.ended = time.perf_counter()
        self._cpu = time.process_time() - self._cpu
        if self._end_subscription is not None:
            self._end_subscription()
            self._end_subscription = None
        with self._folding:
            self._fold()
            self._fold_left_out()

    def take(self, event: Event) -> None:
        """Puts an event aside."""
        self._pending.append(event)
        if type(event) is BatchHandedOut:
            self._memory.append(MemoryPoint(event.at - self.started, *_native.arena_use()))
        if len(self._pending) >= _FOLDED_TOGETHER and self._folding.acquire(blocking=False):
            try:
                self._fold()
            finally:
                self._folding.release()

    def totals(self) -> Totals:
        """Returns what was found so far."""
        with self._folding:
            self._fold()
            running = self._end_subscription is not None
            seconds = (time.perf_counter() if running else self.ended) - self.started
            cpu = time.process_time() - self._cpu if running else self._cpu
            thread = self._program_thread()
            steps = [step for _, steps in self._stages.values() for step in steps.values()]
            waits = [WaitTotal(*key, int(times), spent) for key, (times, spent) in self._waits.items()]
            batches, samples = self._handed.get(thread, (0, 0))
            return Totals(
                seconds=seconds,
                cpu=cpu,
                cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
                samples=samples,
                batches=batches,
                waited=self._waited.get(thread, 0.0),
                waits=sorted(waits, key=lambda wait: -wait.seconds),
                steps=sorted(_merged(steps), key=lambda step: -step.seconds),
                stages=[stage for stage, _ in self._stages.values()],
                readers=[*self._readers.values()],
                queues=[*self._queues.values()],
                slowest=[slow for *_, slow in sorted(self._slowest, reverse=True)],
                threads=[self._threads[each] for each in sorted(self._threads)],
                pool_threads=self._pool_threads or get_num_threads(),
                memory=_thinned(self._memory),
                peak_bytes=_peak_bytes(),
                rates=_rates(self._rates, seconds),
            )

    def readers_by_thread(self) -> dict[int, str]:
        """Returns the names of the readers by the threads that read for them."""
        return self._reading

    def place_of(self, site: Site) -> tuple[str, str]:
        """Returns "train.py:15" and the text of that line."""
        key = id(site.code), site.instruction
        if key not in self._places:
            _, _, text = site.describe().partition("\n")
            self._places[key] = place(site), text.strip(), site  # the site keeps the code, whose id is the key, alive
        return self._places[key][:2]

    def _program_thread(self) -> int:
        """The thread whose waits count: that which began to profile, unless another one got the batches."""
        if self.thread in self._handed or not self._handed:
            return self.thread
        return max(self._handed, key=lambda thread: self._handed[thread][1])

    def _fold(self) -> None:
        """Adds up what was put aside. To be called with the lock."""
        while self._pending:
            event = self._pending.popleft()
            _FOLDS[type(event)](self, event)
            self._keep(event, 1 + sum(times.samples for _, times in event.times) if type(event) is StageRun else 1)
        spans, self._log = _native.worker_spans(self._log)
        for values in spans:
            span = WorkerSpan(*values)
            if span.pool != self.reading_pool:
                total = self._threads.get(span.thread)
                if total is None:
                    total = self._threads[span.thread] = ThreadTotal(self._thread_name(span.thread))
                total.busy += span.end - span.start
                total.cpu += span.cpu
                self._pool_threads = max(self._pool_threads, span.threads)
            self._keep(span, 1)

    def _fold_left_out(self) -> None:
        """Counts the short events after the last measured one of their key, for which that one stands."""
        for last, stage in self._last_stages.items():
            if weight := events.stage_sampling.left_out(last):
                self._fold_stage(stage._replace(weight=weight, slowest=()))
        for what, wait in self._last_waits.items():
            if weight := events.wait_sampling.left_out(what):
                self._fold_wait(wait._replace(weight=weight, started=self.ended))

    def _thread_name(self, thread: int) -> str:
        if thread == self.thread:
            return "the program"
        names = {each.native_id: each.name.removeprefix("penstock-") for each in threading.enumerate()}
        workers = sum(each.name.startswith("worker") for each in self._threads.values())
        return names.get(thread, f"worker {workers + 1}")

    def _keep(self, event: Event | WorkerSpan, weight: int) -> None:
        self.kept.append(event)
        self._weight += weight
        while self._weight > _MOST_KEPT:
            first = self.kept.popleft()
            self._weight -= 1 + sum(times.samples for _, times in first.times) if type(first) is StageRun else 1

    def _fold_stage(self, stage: StageRun) -> None:
        key = tuple([(name, id(site.code), site.instruction) for name, site in zip(stage.operators, stage.sites)])  # noqa: B905
        found = self._stages.get(key)
        if found is None:
            names = tuple(map(shown, stage.operators))
            total = StageTotal(names, tuple(self.place_of(site)[0] for site in stage.sites), "")
            found = self._stages[key] = total, {}
        self._last_stages[stage.operators[-1]] = stage
        total, steps = found
        weight = stage.weight
        total.runs += weight
        total.samples += weight * stage.samples
        total.seconds += weight * stage.seconds
        ways = [way for way, calls in stage.passes for _ in range(calls)]
        total.way = ways[-1] if ways else total.way
        for call in stage.calls:
            step = steps.get((call.first, call.last))
            if step is None:
                names = tuple(map(shown, stage.operators[call.first : call.last + 1]))
                where, line = self.place_of(stage.sites[call.first])
                way = ways[call.first] if call.first < len(ways) else "open"
                step = steps[call.first, call.last] = StepTotal(" + ".join(names), where, line, way)
                total.steps.append(step)
            step.samples += weight * stage.samples
            step.seconds += weight * call.seconds
            step.cpu += weight * call.cpu
        for slow in stage.slowest:
            if slow.source is not None:
                self._note_slow(Slowest(slow.seconds, slow.source, total.operators))

    def _note_slow(self, slow: Slowest) -> None:
        """Keeps the slowest samples, each file once."""
        if len(self._slowest) == _SLOWEST and slow.seconds <= self._slowest[0][0]:
            return
        self._numbers += 1
        for at, (seconds, _, other) in enumerate(self._slowest):
            if other.source == slow.source and other.operators == slow.operators:
                if slow.seconds > seconds:
                    self._slowest[at] = slow.seconds, self._numbers, slow
                    heapq.heapify(self._slowest)
                return
        heapq.heappush(self._slowest, (slow.seconds, self._numbers, slow))
        if len(self._slowest) > _SLOWEST:
            heapq.heappop(self._slowest)

    def _fold_read(self, read: BatchRead) -> None:
        self._reading[read.thread] = read.reader
        key = read.reader, self.place_of(read.site)[0]
        total = self._readers.get(key)
        if total is None:
            total = self._readers[key] = ReaderTotal(*key)
        total.batches += 1
        total.samples += read.samples
        total.bytes += read.bytes
        total.seconds += read.seconds
        total.cpu += read.cpu
        total.waited += read.waited
        total.cached += read.cached
        total.fetched += read.fetched

    def _fold_take(self, take: QueueTake) -> None:
        total = self._queues.get(take.maker)
        if total is None:
            total = self._queues[take.maker] = QueueTotal(take.queue.removeprefix("penstock-"))
        total.depth = max(total.depth, take.depth)
        total.takes += 1
        total.empty += not take.ready
        total.ready += take.ready
        total.waited += take.waited
        total.idle += take.idle
        total.by_program |= take.thread == self.thread
        total.points.append(QueuePoint(take.at - self.started, take.ready))
        if len(total.points) > 2 * _MOST_POINTS:
            total.points = total.points[::2]

    def _fold_hand_out(self, batch: BatchHandedOut) -> None:
        count = self._handed.setdefault(batch.thread, [0, 0])
        count[0] += 1
        count[1] += batch.samples
        self._rates.append((batch.at - self.started, batch.samples))
        if len(self._memory) > 2 * _MOST_POINTS:
            self._memory = self._memory[::2]

    def _fold_wait(self, wait: ProgramWait) -> None:
        """Counts a wait. One inside of another has come before it, and is part of it."""
        self._last_waits[wait.what] = wait
        inner, weight = self._waited_until.setdefault(wait.thread, []), wait.weight
        seconds = weight * wait.seconds
        while inner and inner[-1][0] >= wait.started:
            seconds -= inner.pop()[1]
        inner.append((wait.started, weight * wait.seconds))
        del inner[:-8]
        self._waited[wait.thread] = self._waited.get(wait.thread, 0.0) + seconds
        total = self._waits.setdefault((shown(wait.what), self.place_of(wait.site)[0]), [0, 0.0])
        total[0] += weight
        total[1] += seconds


_FOLDS: dict[type[Event], Callable[[Collector, Any], None]] = {
    StageRun: Collector._fold_stage,
    BatchRead: Collector._fold_read,
    QueueTake: Collector._fold_take,
    BatchHandedOut: Collector._fold_hand_out,
    ProgramWait: Collector._fold_wait,
}


def _merged(steps: list[StepTotal]) -> list[StepTotal]:
    """The steps of several stages as one where operator, line and way are the same: a first step is planned alone."""
    found: dict[tuple[str, str, str], StepTotal] = {}
    for step in steps:
        total = found.setdefault(
            (step.operator, step.place, step.way), StepTotal(step.operator, step.place, step.line, step.way)
        )
        total.samples += step.samples
        total.seconds += step.seconds
        total.cpu += step.cpu
    return [*found.values()]


def _thinned(points: list[MemoryPoint]) -> list[MemoryPoint]:
    return points[:: -(-len(points) // _MOST_POINTS) or 1]


def _rates(handed: deque[tuple[float, int]], seconds: float, intervals: int = 120) -> list[tuple[float, float]]:
    """Samples per second in equal intervals, of which there are no more than batches."""
    if not handed or seconds <= 0:
        return []
    width = seconds / min(intervals, len(handed))
    counts: dict[int, int] = {}
    for at, samples in handed:
        counts[int(at / width)] = counts.get(int(at / width), 0) + samples
    return [(number * width, counts.get(number, 0) / width) for number in range(max(counts) + 1)]


def _peak_bytes() -> int:
    """The largest resident size of the process so far."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if os.uname().sysname == "Darwin" else peak * 1024
