"""What a profile has found, as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

# Native steps wait for nothing but a CPU; so much more time than CPU time means that there was none.
_CONTENDED = 1.6


@dataclass
class StepTotal:
    """An operator at a line of the program; several where they did their work together.

    `seconds` adds up the time of all threads that worked on it, `cpu` is the part in which they ran on a CPU.
    """

    operator: str
    place: str
    line: str
    way: str
    samples: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


@dataclass
class StageTotal:
    """Calls that run as one stage, and its steps; `seconds` is the time until it was done, in all runs together."""

    operators: tuple[str, ...]
    places: tuple[str, ...]
    way: str
    runs: int = 0
    samples: int = 0
    seconds: float = 0.0
    steps: list[StepTotal] = field(default_factory=list)


@dataclass
class ReaderTotal:
    """A reader. `waited` is the part of `seconds` in which it waited for disk, network or a free CPU."""

    name: str
    place: str
    batches: int = 0
    samples: int = 0
    bytes: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    waited: float = 0.0
    cached: int = 0
    fetched: int = 0


class QueuePoint(NamedTuple):
    """How many results were ready in a queue at a time, in seconds since the profile began."""

    at: float
    ready: int


@dataclass
class QueueTotal:
    """A queue of results made ahead. `idle` is how long the results were ready before they were taken."""

    name: str
    depth: int = 0
    takes: int = 0
    empty: int = 0
    ready: int = 0
    waited: float = 0.0
    idle: float = 0.0
    by_program: bool = False
    points: list[QueuePoint] = field(default_factory=list)


class Slowest(NamedTuple):
    """A sample that took long: the file it was read from, and the operators it went through meanwhile."""

    seconds: float
    source: str
    operators: tuple[str, ...]


class WaitTotal(NamedTuple):
    """What the program waited for, and where."""

    what: str
    place: str
    times: int
    seconds: float


class MemoryPoint(NamedTuple):
    """Bytes of the arena that live batches have, and those kept for the next ones."""

    at: float
    live: int
    kept: int


@dataclass
class ThreadTotal:
    """A thread: how long it worked, of which it ran on a CPU."""

    name: str
    busy: float = 0.0
    cpu: float = 0.0


@dataclass
class Totals:
    """All that a profile has found."""

    seconds: float
    cpu: float
    cores: int
    samples: int
    batches: int
    waited: float
    waits: list[WaitTotal]
    steps: list[StepTotal]
    stages: list[StageTotal]
    readers: list[ReaderTotal]
    queues: list[QueueTotal]
    slowest: list[Slowest]
    threads: list[ThreadTotal]
    pool_threads: int
    memory: list[MemoryPoint]
    peak_bytes: int
    rates: list[tuple[float, float]]  # of equal intervals: when one began, and samples per second in it

    @property
    def samples_per_second(self) -> float:
        return self.samples / self.seconds if self.seconds > 0 else 0.0

    @property
    def wait_share(self) -> float:
        """The part of the time in which the program waited for data, from 0 to 1."""
        return min(1.0, self.waited / self.seconds) if self.seconds > 0 else 0.0

    @property
    def idle_share(self) -> float:
        """The part of the time in which the threads of the pool had nothing to do, from 0 to 1."""
        capacity = self.seconds * self.pool_threads
        return max(0.0, 1 - sum(each.busy for each in self.threads) / capacity) if capacity > 0 else 0.0

    @property
    def cpu_share(self) -> float:
        """The part of all CPUs that the process used, from 0 to 1."""
        return min(1.0, self.cpu / (self.seconds * self.cores)) if self.seconds > 0 else 0.0

    @property
    def data_waited(self) -> float:
        """For how many seconds, on average, a batch was ready before the program took it."""
        taken = [queue for queue in self.queues if queue.by_program]
        taken = [queue for queue in taken if queue.name != "reader"] or taken  # a step that is made ahead reads, too
        takes = sum(queue.takes for queue in taken)
        return sum(queue.idle for queue in taken) / takes if takes else 0.0

    @property
    def is_contended(self) -> bool:
        """Whether threads were ready to run and had no CPU for a large part of the time."""
        native = [step for step in self.steps if step.way == "native"]
        cpu = sum(step.cpu for step in native)
        return cpu > 0 and sum(step.seconds for step in native) > _CONTENDED * cpu

    def weight(self, step: StepTotal) -> float:
        """What steps are compared by: their time, or their CPU time where waiting for a CPU would decide."""
        return step.cpu if self.is_contended else step.seconds

    def share(self, steps: Iterable[StepTotal]) -> float:
        """The part of the weight of all steps that some of them have."""
        return sum(map(self.weight, steps)) / max(sum(map(self.weight, self.steps)), 1e-12)

    @property
    def heaviest_first(self) -> list[StepTotal]:
        return sorted(self.steps, key=self.weight, reverse=True)

    @property
    def arena_peak(self) -> int:
        return max((point.live + point.kept for point in self.memory), default=0)
