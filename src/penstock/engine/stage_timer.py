"""Times a stage for those who listen: each pass, and inside of native ones each step."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from penstock._native import ChainTimes, Samples, help_received
from penstock.engine import events
from penstock.engine.errors import source_of
from penstock.engine.events import CallTime, Pass, SlowSample, StageRun, stage_sampling
from penstock.engine.site import Site

_SLOWEST = 3
# Stages that take less are many, and no sample of theirs is slow.
_WORTH_A_LOOK = 2e-4


class WorkClock:
    """Wall-clock and CPU time since it was made: of this thread and of the pools' threads that worked for it."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self._cpu = time.thread_time()
        self._help = help_received()

    def read(self) -> tuple[float, float, float]:
        """Returns the seconds that went by, the seconds of all threads together, and their CPU time."""
        wall, cpu = help_received()
        seconds = time.perf_counter() - self.started
        helped, helped_cpu = wall - self._help[0], cpu - self._help[1]
        return seconds, seconds + helped, time.thread_time() - self._cpu + helped_cpu


class StageTimer:
    """Times one run of a stage, whose last operator is `key`; it stands for `weight` runs of its kind."""

    def __init__(self, key: str, weight: int) -> None:
        self._key = key
        self._weight = weight
        self._started = time.perf_counter()
        self._calls: list[CallTime] = []
        self._slowest: list[SlowSample] = []
        self._times: list[tuple[int, ChainTimes]] = []
        self._batch = 0

    def begin_pass(self, inputs: Sequence[Samples]) -> None:
        """A pass on these inputs begins; `times` is for its native steps, if it has any."""
        self.times = ChainTimes()
        self._inputs = inputs
        self._batch = self._batch or events.batch_key(inputs)
        self._clock = WorkClock()

    def end_pass(self, position: int, count: int) -> None:
        """The pass has carried out so many calls, beginning with the one at `position`."""
        taken, seconds, cpu = self._clock.read()
        if count == 1 and taken < _WORTH_A_LOOK:
            self._calls.append(CallTime(position, position, seconds, cpu))
            return
        steps = self.times.steps()
        if not steps or count == 1:
            self._calls.append(CallTime(position, position + count - 1, seconds, cpu))
        else:
            self._calls += [
                CallTime(position + first, position + last, wall * scale, used * scale)
                for first, last, timed, wall, used in steps
                for scale in [self.times.samples / timed]
            ]
        if steps:
            slowest = self.times.slowest(_SLOWEST)
            inputs = [*self._inputs]
            self._slowest += [SlowSample(at, lasted, source_of(inputs, at)) for at, lasted in slowest]
            self._times.append((position, self.times))

    def announce(
        self, operators: tuple[str, ...], sites: tuple[Site, ...], samples: int, passes: Sequence[Pass]
    ) -> None:
        """Announces that the stage has run."""
        seconds = time.perf_counter() - self._started
        stage_sampling.measured(self._key, seconds)
        events.announce(
            StageRun(
                operators=operators,
                samples=samples,
                seconds=seconds,
                passes=tuple(passes),
                sites=sites,
                started=self._started,
                thread=threading.get_native_id(),
                calls=tuple(self._calls),
                slowest=tuple(self._slowest),
                batch=self._batch,
                times=tuple(self._times),
                weight=self._weight,
            )
        )
