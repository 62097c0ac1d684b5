"""Events of the engine, of which there is one mechanism: a list of listeners for each kind.

Where nobody listens to a kind, its events are not made: that costs one test of an empty list per stage, batch or wait.
Times are seconds on the clock of `time.perf_counter()`, threads have the numbers that the system gives them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from penstock._native import ChainTimes, Samples, Sampling, start_worker_log, stop_worker_log
from penstock.engine.background import BackgroundThread
from penstock.engine.site import Site, here
from penstock.values.log import log

if TYPE_CHECKING:
    from penstock.engine.explanation import Explanation
    from penstock.schema.operator import Operator


class Pass(NamedTuple):
    """A number of consecutive calls of a stage that are carried out together.

    `way` is the name of a backend, "recovered" for a call that was run again without its bad samples, or "open" where
    the choice depends on data that does not exist yet.
    """

    way: str
    calls: int


class CallTime(NamedTuple):
    """Time that calls of a stage took: of one, or of several where they did their work together.

    `first` and `last` are places in the stage. `seconds` adds up the time of all threads that worked on it, `cpu` is
    the part of it in which they ran on a CPU. In native passes both are estimated from the samples that were timed.
    """

    first: int
    last: int
    seconds: float
    cpu: float


class SlowSample(NamedTuple):
    """A sample that took long in a stage: its place in the batch, the file it was read from if that is known."""

    sample: int
    seconds: float
    source: str | None


class StageRun(NamedTuple):
    """A stage that has run: its operators in order, the number of samples, the seconds it took, and its passes.

    `sites` are the user's lines that made the calls. `slowest` has a few samples of native passes. `batch` is the key
    of the batch that the samples were read in, 0 where they were not read. `times` are those of native passes, with the
    place of the first call. `weight` is the number of runs that it stands for: 1 unless the listener is `sampled`.
    """

    operators: tuple[str, ...]
    samples: int
    seconds: float
    passes: tuple[Pass, ...] = ()
    sites: tuple[Site, ...] = ()
    started: float = 0.0
    thread: int = 0
    calls: tuple[CallTime, ...] = ()
    slowest: tuple[SlowSample, ...] = ()
    batch: int = 0
    times: tuple[tuple[int, ChainTimes], ...] = ()
    weight: int = 1


class BatchRead(NamedTuple):
    """A batch that a reader has read ahead.

    `cpu` is the CPU time of all threads that took part, `waited` the time in which they waited: for the disk, the
    network or a free CPU. `cached` and `fetched` count what came from the cache of a `Storage`, and what did not.
    """

    reader: str
    samples: int
    bytes: int
    seconds: float
    cpu: float
    waited: float
    cached: int
    fetched: int
    site: Site
    started: float
    thread: int
    batch: int


class QueueTake(NamedTuple):
    """A result made ahead by a background thread that its consumer has taken, or looked at.

    `ready` results were there when the consumer came, of `depth` that it had asked for. It `waited` so long for this
    one, or the result was `idle` so long before. `maker` is the thread that makes the results.
    """

    queue: str
    ready: int
    depth: int
    waited: float
    idle: float
    at: float
    maker: int
    thread: int


class BatchHandedOut(NamedTuple):
    """A batch that the program has got from a reader or a pipeline."""

    source: str
    samples: int
    at: float
    thread: int
    batch: int


class ProgramWait(NamedTuple):
    """A time in which a thread of the program waited: for the next batch, or for the result of a call.

    `weight` is the number of waits that this one stands for: 1 unless the listener is `sampled`.
    """

    what: str
    seconds: float
    site: Site
    started: float
    thread: int
    batch: int
    weight: int = 1


class CallRun(NamedTuple):
    """A call that has run by itself: its samples before and after, and the per-sample arguments among its `tensors`.

    `numbers` are those of its samples in the whole batch, where it has not all of them.
    """

    op: Operator
    site: Site
    arguments: Mapping[str, Any]
    inputs: tuple[Samples, ...]
    tensors: Mapping[str, Samples]
    outputs: tuple[Samples, ...]
    numbers: Samples | None


Event: TypeAlias = StageRun | BatchRead | QueueTake | BatchHandedOut | ProgramWait
Listener = Callable[[Any], None]


class Explainable(Protocol):
    """A plan that is run again and again."""

    def explain(self) -> Explanation:
        """Returns its stages, and how they ran the last time."""
        ...


class _Plan(NamedTuple):
    """A plan that is explained only where somebody reads the log."""

    plan: Explainable

    def __str__(self) -> str:
        return str(self.plan.explain())


# Called on the thread that the event happens in, so a listener may be called from several threads at once.
stage_listeners: list[Listener] = []
read_listeners: list[Listener] = []
queue_listeners: list[Listener] = []
hand_out_listeners: list[Listener] = []
wait_listeners: list[Listener] = []
KINDS: dict[type[Event], list[Listener]] = {
    StageRun: stage_listeners,
    BatchRead: read_listeners,
    QueueTake: queue_listeners,
    BatchHandedOut: hand_out_listeners,
    ProgramWait: wait_listeners,
}
# Choose which short stages and waits for calls are measured, where no listener wants all of them.
stage_sampling, wait_sampling = Sampling(), Sampling()
# How many events the one that happens now stands for. Asked of every call: finding the method would take as long again.
stage_weight, wait_weight = stage_sampling.weight, wait_sampling.weight
_SAMPLED: dict[type[Event], Sampling] = {StageRun: stage_sampling, ProgramWait: wait_sampling}
# Called for every pipeline and compiled loop with the object itself and the plan that it runs from now on.
watchers: list[Callable[[object, Explainable], None]] = []
# Called for every call that has run. While there is one, stages run call by call: all that goes between calls exists.
inspectors: list[Callable[[CallRun], None]] = []
# Make the ranges of other profilers around waits, while they are on.
ranges: list[Callable[[str], AbstractContextManager[object]]] = []


def subscribe(listener: Listener, *kinds: type[Event], sampled: bool = False) -> Callable[[], None]:
    """Calls a listener for every event of some kinds, or of all, until the function that is returned is called.

    A `sampled` listener leaves out most of the stages and waits that last less than a few milliseconds, so that it
    costs little; those that it gets have a `weight`, the number of events that they stand for.

    The listener is called on the thread that the event happens in, by several at once: what it does keeps data from
    the program. What it raises is raised there.

    Example:
        >>> stop = penstock.events.subscribe(lambda wait: print(wait.what, wait.seconds), penstock.events.ProgramWait)
        >>> train_one_epoch()
        >>> stop()
    """
    for kind in kinds:
        if kind not in KINDS:
            names = ", ".join(each.__name__ for each in KINDS)
            raise TypeError(f"{kind!r} is no kind of event; there are {names}")
    chosen = [KINDS[kind] for kind in dict.fromkeys(kinds or KINDS)]
    for listeners in chosen:
        listeners.append(listener)
    samplings = [sampling for kind, sampling in _SAMPLED.items() if not kinds or kind in kinds]
    complete = [] if sampled else samplings
    for sampling in complete:
        sampling.complete += 1
    for sampling in samplings:
        sampling.forget()
    start_worker_log()  # without it the CPU time of pools is not known

    def stop() -> None:
        if chosen:
            stop_worker_log()
        while complete:
            complete.pop().complete -= 1
        while chosen:
            chosen.pop().remove(listener)

    return stop


@contextmanager
def listening(listener: Listener, *kinds: type[Event]) -> Iterator[None]:
    """Calls a listener inside the block for the events of some kinds: of stages, where none is named."""
    stop = subscribe(listener, *(kinds or (StageRun,)))
    try:
        yield
    finally:
        stop()


@contextmanager
def inspecting(inspector: Callable[[CallRun], None]) -> Iterator[None]:
    """Calls an inspector for every call that any thread of the process runs inside the block, and fuses none of them.

    The results are those of fused calls to the bit; they only take longer.
    """
    inspectors.append(inspector)
    try:
        yield
    finally:
        inspectors.remove(inspector)


def tell(owner: object, plan: Explainable) -> None:
    log("DEBUG", "engine", "planned %s", _Plan(plan))
    for watcher in tuple(watchers):
        watcher(owner, plan)


def announce(event: Event) -> None:
    for listener in tuple(KINDS[type(event)]):
        listener(event)


def hand_out(source: str, outputs: Sequence[Samples]) -> None:
    """Announces that the program gets a batch."""
    if outputs:
        first = outputs[0]
        announce(BatchHandedOut(source, len(first), time.perf_counter(), threading.get_native_id(), batch_key(outputs)))


def batch_key(outputs: Sequence[Samples]) -> int:
    """Returns the key of the batch that samples were read in; 0 where none of them were read."""
    return next((samples.batch_key for samples in outputs if samples.batch_key), 0)


class Waiting:
    """Around a time in which the program waits; background threads wait for each other, which is not announced.

    To be made only where somebody listens. `outputs` are set inside the block where it is known what was waited for.
    """

    def __init__(self, what: str, weight: int = 1) -> None:
        self.outputs: Sequence[Samples] = ()
        self._what = what
        self._weight = weight
        self._by_program = not isinstance(threading.current_thread(), BackgroundThread)
        self._ranges = [make(what) for make in ranges] if self._by_program else []

    def __enter__(self) -> Waiting:
        for each in self._ranges:
            each.__enter__()
        self._started = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        seconds = time.perf_counter() - self._started
        for each in reversed(self._ranges):
            each.__exit__(None, None, None)
        if self._by_program:
            key = batch_key(self.outputs)
            thread = threading.get_native_id()
            announce(ProgramWait(self._what, seconds, here(), self._started, thread, key, self._weight))
        wait_sampling.measured(self._what, seconds)
