"""external_source(parallel=True): a source that worker processes call, ahead of the pipeline."""

from __future__ import annotations

from collections import deque
from typing import Any

from penstock._native import Samples
from penstock.pipeline.sources.batch_from_arrays import BatchArrays, DeclaredInput
from penstock.pipeline.sources.callback import Callback
from penstock.pipeline.sources.callback_source import CallbackSource
from penstock.pipeline.workers.pool import Result, Ticket, Workers
from penstock.pipeline.workers.task import SourceTask


class ParallelSource(CallbackSource):
    """Has its batches made by worker processes, several of them under way at a time.

    A callback is told which samples to make, so any worker can make any part of a batch. An iterable lives in one
    worker, which hands on item after item.
    """

    def __init__(
        self, callback: Callback, declared: list[DeclaredInput], several: bool, depth: int | None, bytes_per_sample: Any
    ) -> None:
        super().__init__(callback, declared, several, background=True)
        if callback.is_callable and not callback.takes_place:
            raise TypeError(
                "Callable passed to External Source in parallel mode (when `parallel=True`) must accept exactly one "
                "argument: a SampleInfo if run with `batch=False`, or a BatchInfo or the number of the batch within "
                "the epoch if `batch=True`. Got a callable that does not accept arguments instead."
            )
        if not callback.is_callable and not callback.batch:
            kind = "a generator function" if callback.is_generator_function else "an iterable"
            raise TypeError(
                f"Parallel external source with {kind} must be run in a batch mode (specify `batch=True` in the "
                "external source definition and make sure your source returns batches)"
            )
        if depth is not None and depth < 1:
            raise ValueError(f"prefetch_queue_depth must be positive, got {depth}")
        hints = bytes_per_sample if isinstance(bytes_per_sample, (list, tuple)) else [bytes_per_sample or 0]
        self.bytes_per_sample = int(sum(hints))
        self.depth = self._own_depth = depth
        self._workers: Workers | None = None
        self._place = 0  # among the sources of the workers
        self._under_way: deque[tuple[int, list[Ticket]]] = deque()  # numbers of iterations, and their parts

    def afresh(self) -> ParallelSource:
        several = self.num_outputs is not None
        return ParallelSource(self.callback, self.declared, several, self._own_depth, self.bytes_per_sample)

    def attach(self, workers: Workers, place: int) -> None:
        """Names the processes that will be asked, which know this source by its place."""
        self._workers = workers
        self._place = place

    def _made(self, iteration: int) -> tuple[Samples, ...]:
        tickets = self._asked_for(self.number(iteration))
        assert self._workers is not None
        try:
            parts = [self._workers.result(ticket) for ticket in tickets]
            outputs = self.outputs([_joined(parts, k) for k in range(len(self.declared))])
        except StopIteration:
            self._forget()  # also what was asked for behind the end of the epoch
            raise
        except Exception:
            self._forget_first()
            raise
        self._forget_first()
        return outputs

    def _asked_for(self, number: int) -> list[Ticket]:
        """The parts of the batch of an iteration, having asked for those to come."""
        assert self.depth is not None
        if self._under_way and self.callback.takes_place and self._under_way[0][0] != number:
            self._forget()
        following = self._under_way[-1][0] + 1 if self._under_way else number
        while len(self._under_way) < self.depth:
            self._under_way.append((following, self._submit(following)))
            following += 1
        return self._under_way[0][1]

    def _submit(self, number: int) -> list[Ticket]:
        assert self._workers is not None
        if not self.callback.is_callable:  # one process has the iterator
            return [self._workers.submit(SourceTask(self._place, self.epoch, number), self._place)]
        if self.callback.batch:
            return [self._workers.submit(SourceTask(self._place, self.epoch, number))]
        size, parts = self.batch_size, min(self.batch_size, len(self._workers))
        ends = [size * k // parts for k in range(parts + 1)]
        return [
            self._workers.submit(SourceTask(self._place, self.epoch, number, size, range(ends[k], ends[k + 1])))
            for k in range(parts)
        ]

    def _forget(self) -> None:
        while self._under_way:
            self._forget_first()

    def _forget_first(self) -> None:
        assert self._workers is not None
        _, tickets = self._under_way.popleft()
        self._workers.forget(tickets)

    def reset(self, iteration: int) -> None:
        super().reset(iteration)
        if self.callback.is_restarted:
            self._forget()


def _joined(parts: list[Result], k: int) -> BatchArrays:
    """An output, of the parts of its batch."""
    return BatchArrays([array for part in parts for array in part.columns[k]], parts[0].layouts[k])


def started(
    sources: list[ParallelSource], batch_size: int, depth: int, count: int, start_method: str, pickler: Any
) -> Workers:
    """Worker processes for these sources, each of which is asked `depth` iterations ahead if it does not say."""
    workers = Workers(sources, count, start_method, pickler, batch_size)
    for place, each in enumerate(sources):
        each.depth = each.depth or depth
        each.attach(workers, place)
    return workers
