"""The worker processes of a pipeline, as the program sees them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import warnings
import weakref
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from multiprocessing import reduction
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock.engine.errors import add_note
from penstock.pipeline.workers.pickling import picklers
from penstock.pipeline.workers.shared_arrays import Array, Mapped, Written
from penstock.pipeline.workers.task import Task
from penstock.pipeline.workers.worker import Ended, Failed, Sent, work

if TYPE_CHECKING:
    from penstock.pipeline.workers.source import ParallelSource


class Ticket(NamedTuple):
    """A task that a worker was given."""

    worker: int
    number: int


class Result(NamedTuple):
    """Batches in shared memory: `release` once they are copied."""

    columns: list[list[Array]]
    layouts: list[str]
    release: Callable[[], None]


class Workers:
    """Processes that call the sources of one pipeline. They end when this object is dropped, or the program ends.

    Tasks are given to the worker with the fewest; each answers them in their order. Arrays come back through shared
    memory, from which they are copied once.
    """

    def __init__(
        self, sources: Sequence[ParallelSource], count: int, start_method: str, pickler: Any, batch_size: int
    ) -> None:
        if count < 1:
            raise RuntimeError(
                "The pipeline contains `fn.external_source` with `parallel` argument specified to True. However, the "
                f"`py_num_workers` was set to `{count}`. The external source cannot run in parallel mode without "
                "Python workers pool. Please specify the number of `py_num_workers` to a positive integer or set the "
                "`parallel` parameter to False in external sources in the pipeline."
            )
        if start_method == "fork" and pickler is not None:
            raise ValueError("``py_callback_pickler`` should not be set when 'fork' start method is used.")
        stateful = sum(not each.callback.is_callable for each in sources)
        if stateful == len(sources):
            count = min(count, stateful)  # an iterable occupies one process, and no other can help it
        sent = [Sent(each.callback, each.num_outputs) for each in sources]
        least = max(each.bytes_per_sample * batch_size for each in sources)
        self._next = 0
        self._workers = _started(sent, count, start_method, pickler, least)
        self._answers: dict[Ticket, Any] = {}
        self._unwanted: set[Ticket] = set()
        weakref.finalize(self, _end, self._workers, os.getpid())

    def __len__(self) -> int:
        return len(self._workers)

    def submit(self, task: Task, bound_to: int | None = None) -> Ticket:
        """Gives a task to a worker: to that of a source that lives in one, else to the one with the fewest."""
        if bound_to is None:
            number = min(range(len(self._workers)), key=lambda k: self._workers[k].under_way)
        else:
            number = bound_to % len(self._workers)
        ticket = Ticket(number, self._next)
        self._next += 1
        self._workers[number].send(ticket, task)
        return ticket

    def result(self, ticket: Ticket) -> Result:
        """What a task came to; raises what the source raised, StopIteration where it has ended."""
        worker = self._workers[ticket.worker]
        while ticket not in self._answers:
            self._receive(worker)
        answer = self._answers.pop(ticket)
        if isinstance(answer, Ended):
            raise StopIteration
        if isinstance(answer, Failed):
            raise worker.told(answer)
        assert isinstance(answer, Written)
        return Result(worker.mapped.read(answer), answer.layouts, partial(worker.freed.append, answer.block))

    def forget(self, tickets: Sequence[Ticket]) -> None:
        """What these come to is not wanted."""
        for ticket in tickets:
            if ticket in self._answers:
                self._drop(ticket, self._answers.pop(ticket))
            else:
                self._unwanted.add(ticket)

    def _receive(self, worker: _Worker) -> None:
        ticket, answer = worker.receive()
        if ticket in self._unwanted:
            self._unwanted.remove(ticket)
            self._drop(ticket, answer)
        else:
            self._answers[ticket] = answer

    def _drop(self, ticket: Ticket, answer: Any) -> None:
        if isinstance(answer, Written):
            self._workers[ticket.worker].freed.append(answer.block)

    def capacities(self) -> list[int]:
        """Sizes of the blocks of shared memory."""
        return [capacity for worker in self._workers for capacity in worker.mapped.capacities]


class _Worker:
    """One process: what was sent to it and has not come back."""

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.mapped = Mapped()
        self.freed: list[int] = []  # blocks that the process may fill again
        self.under_way = 0

    def send(self, ticket: Ticket, task: Task) -> None:
        try:
            self.connection.send((ticket, task, self.freed))
        except OSError:
            raise self._died() from None
        self.freed = []
        self.under_way += 1

    def receive(self) -> tuple[Any, Any]:
        """Its next answer; RuntimeError where it has died."""
        wait([self.connection, self.process.sentinel])
        if not self.connection.poll():
            raise self._died()
        try:
            ticket, answer = self.connection.recv()
            if isinstance(answer, Written) and answer.is_new:
                self.mapped.take(answer, reduction.recv_handle(self.connection))
        except (EOFError, OSError):
            raise self._died() from None
        self.under_way -= ticket is not None
        return ticket, answer

    def told(self, failed: Failed) -> BaseException:
        """What a source raised, with the lines it was raised on."""
        error = RuntimeError(failed.printed) if failed.error is None else pickle.loads(failed.error)
        assert isinstance(error, BaseException)
        add_note(error, f"in worker process {self.process.pid}:\n{failed.printed}")
        return error

    def _died(self) -> RuntimeError:
        self.process.join(1)
        code = self.process.exitcode
        if code is not None and code < 0:
            how = f"was ended by signal {-code} ({signal.Signals(-code).name})"
        else:
            how = "cannot be reached" if code is None else f"has ended with exit code {code}"
        return RuntimeError(
            f"Worker data receiving interrupted: worker process {self.process.pid}, which calls the parallel external "
            f"sources of the pipeline, {how}"
        )


def _started(sources: list[Sent], count: int, start_method: str, pickler: Any, least: int) -> list[_Worker]:
    context = multiprocessing.get_context(start_method)
    sent: list[Sent] | bytes = sources
    read = None
    if start_method != "fork":
        write, read = picklers(pickler)
        sent = pickle.dumps([_written(each, write) for each in sources])
    workers: list[_Worker] = []
    try:
        for k in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(  # type: ignore[attr-defined]
                target=work, args=(theirs, sent, read, least), name=f"penstock-source-{k}", daemon=True
            )
            with warnings.catch_warnings():  # the child uses none of our threads, nor what they hold
                warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
                process.start()
            theirs.close()
            workers.append(_Worker(process, ours))
        for worker in workers:
            _, failed = worker.receive()
            if failed is not None:
                raise worker.told(failed)
    except BaseException as error:
        _end(workers, os.getpid())
        if isinstance(error, RuntimeError):
            add_note(error, "Workers initialization failed")
        raise
    return workers


def _written(sent: Sent, write: Callable[[Any], bytes]) -> Sent:
    """A source without the program's objects, but for those that its pickler writes."""
    callback = copy(sent.callback)
    try:
        callback.source = write(callback.source)
    except Exception as error:
        add_note(
            error,
            f"the source {sent.callback.name} is sent to worker processes that are spawned, so it has to be pickled; "
            "py_start_method='fork' needs no pickling, py_callback_pickler=... chooses how it is done",
        )
        raise
    return Sent(callback, sent.outputs)


def _end(workers: list[_Worker], program: int) -> None:
    if os.getpid() != program:  # a forked process inherits what it should leave alone
        return
    for worker in workers:
        with contextlib.suppress(OSError):
            worker.connection.send(None)
        worker.connection.close()
    for worker in workers:
        worker.process.join(1)  # it may be in the middle of a long call
        if worker.process.is_alive():
            worker.process.terminate()
            worker.process.join()
