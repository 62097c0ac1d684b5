"""The worker processes of a pipeline, as the program sees them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import time
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock.engine.errors import add_note
from penstock.pipeline.workers.pickling import picklers
from penstock.pipeline.workers.shared_arrays import Array, ArraysInBlock, BlockReader, receive_descriptor
from penstock.pipeline.workers.task import SourceTask
from penstock.pipeline.workers.worker import SourceEnd, SourceFailure, WorkerSource, work

if TYPE_CHECKING:
    from penstock.pipeline.workers.source import ParallelSource


# How long all processes of a pipeline together may take to end before they are killed.
_END_SECONDS = 1.0


class Ticket(NamedTuple):
    """A task that a worker was given."""

    worker: int
    number: int


class Result(NamedTuple):
    """Batches in shared memory, there until the task is forgotten."""

    columns: list[list[Array]]
    layouts: list[str]


class Workers:
    """Processes that call the sources of one pipeline. They end when this object is dropped, or the program ends.

    Tasks are given to the worker with the fewest; each answers them in their order. Arrays come back through shared
    memory, from which they are copied once. An answer is kept until its task is forgotten, so that whoever was
    interrupted can ask for it again.
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
        sent = [WorkerSource(each.callback, each.num_outputs) for each in sources]
        least = max(each.bytes_per_sample * batch_size for each in sources)
        self._next = 0
        self._workers = _start_processes(sent, count, start_method, pickler, least)
        self._program = os.getpid()
        weakref.finalize(self, _end, self._workers, self._program)

    def __len__(self) -> int:
        return len(self._workers)

    def submit(self, task: SourceTask, bound_to: int | None = None) -> Ticket:
        """Gives a task to a worker: to that of a source that lives in one, else to the one with the fewest."""
        self._check_process()
        if bound_to is None:
            number = min(range(len(self._workers)), key=lambda k: self._workers[k].under_way)
        else:
            number = bound_to % len(self._workers)
        ticket = Ticket(number, self._next)
        self._next += 1
        self._workers[number].send(ticket, task)
        return ticket

    def result(self, ticket: Ticket) -> Result:
        """The arrays of a task, waiting for them; raises what the source raised, StopIteration where it has ended."""
        self._check_process()
        worker = self._workers[ticket.worker]
        answer = worker.answer(ticket)
        if isinstance(answer, SourceEnd):
            raise StopIteration
        if isinstance(answer, SourceFailure):
            raise worker.source_error(answer)
        assert isinstance(answer, ArraysInBlock)
        return Result(worker.blocks.read(answer), answer.layouts)

    def forget(self, tickets: Sequence[Ticket]) -> None:
        """Drops the results of these tasks, also of those that are still under way."""
        for ticket in tickets:
            self._workers[ticket.worker].forget(ticket)

    def _check_process(self) -> None:
        """RuntimeError in a forked process: two at one end of a pipe would take each other's answers."""
        if os.getpid() != self._program:
            raise RuntimeError(
                f"the worker processes of this pipeline answer to process {self._program} alone, which was forked into "
                f"process {os.getpid()}; build the pipeline after the fork"
            )

    def capacities(self) -> list[int]:
        """Sizes of the blocks of shared memory."""
        return [capacity for worker in self._workers for capacity in worker.blocks.capacities]


class _WorkerProcess:
    """One process: its connection, its blocks of shared memory, and the tasks that it was sent."""

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.blocks = BlockReader()
        self.freed: list[int] = []  # blocks that the process may fill again
        self.under_way = 0
        self._answers: dict[Ticket | None, Any] = {}  # the one for None says that the process has started
        self._unwanted: set[Ticket | None] = set()
        self._is_amid_message = False

    def send(self, ticket: Ticket, task: SourceTask) -> None:
        with self._message():
            self._send_object((ticket, task, self.freed))
            self.freed = []
            self.under_way += 1

    def answer(self, ticket: Ticket | None) -> Any:
        """The answer to a task, waiting for it; RuntimeError where the process has died."""
        while ticket not in self._answers:
            self._receive()
        return self._answers[ticket]

    def forget(self, ticket: Ticket | None) -> None:
        """Lets the process fill the block again in which the answer to a task is, or will be."""
        if ticket not in self._answers:
            self._unwanted.add(ticket)
            return
        self._unwanted.discard(ticket)
        answer = self._answers.pop(ticket)
        if isinstance(answer, ArraysInBlock):
            self.freed.append(answer.block)

    def _receive(self) -> None:
        wait([self.connection, self.process.sentinel])
        if not self.connection.poll():
            raise self._died()
        with self._message():
            ticket, answer = self._receive_object()
            if isinstance(answer, ArraysInBlock) and answer.is_new:
                self.blocks.take(answer, receive_descriptor(self.connection))
            self.under_way -= ticket is not None
            self._answers[ticket] = answer
        if ticket in self._unwanted:
            self.forget(ticket)

    # As send() and recv(), which pickle into and out of BytesIO objects: when Python without a GIL collects what an
    # ended thread has left, it complains of their buffers, which are still exported.

    def _send_object(self, sent: Any) -> None:
        self.connection.send_bytes(pickle.dumps(sent))

    def _receive_object(self) -> Any:
        return pickle.loads(self.connection.recv_bytes())

    @contextlib.contextmanager
    def _message(self) -> Iterator[None]:
        """Around a message. One that an interrupt cut in two is the last: the rest of it would be read as the next."""
        if self._is_amid_message:
            raise RuntimeError(
                f"a message between the program and worker process {self.process.pid}, which calls the parallel "
                "external sources of the pipeline, was interrupted; build the pipeline again"
            )
        self._is_amid_message = True
        try:
            yield
        except (EOFError, OSError):
            self._is_amid_message = False
            raise self._died() from None
        self._is_amid_message = False

    def source_error(self, failed: SourceFailure) -> BaseException:
        """The exception that a source raised in the process, with its traceback there as a note."""
        error: BaseException = RuntimeError(failed.printed)
        if failed.error is not None:
            with contextlib.suppress(Exception):  # its class may be known to the worker alone
                error = pickle.loads(failed.error)
        add_note(error, f"in worker process {self.process.pid}:\n{failed.printed}")
        return error

    def _died(self) -> RuntimeError:
        self.process.join(1)
        code = self.process.exitcode
        if code is not None and code < 0:
            names = {each.value: each.name for each in signal.Signals}
            how = f"was ended by signal {-code} ({names.get(-code, 'of real time')})"
        else:
            how = "cannot be reached" if code is None else f"has ended with exit code {code}"
        return RuntimeError(
            f"Worker data receiving interrupted: worker process {self.process.pid}, which calls the parallel external "
            f"sources of the pipeline, {how}"
        )


def _start_processes(
    sources: list[WorkerSource], count: int, start_method: str, pickler: Any, least: int
) -> list[_WorkerProcess]:
    if os.name == "nt":
        raise RuntimeError(
            "parallel external sources are not supported on Windows; parallel=False runs them in this process"
        )
    context = multiprocessing.get_context(start_method)
    sent: list[WorkerSource] | bytes = sources
    read = None
    if start_method != "fork":
        write, read = picklers(pickler)
        sent = pickle.dumps([_pickled(each, write) for each in sources])
    workers: list[_WorkerProcess] = []
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
            workers.append(_WorkerProcess(process, ours))
        for worker in workers:
            failed = worker.answer(None)
            if failed is not None:
                raise worker.source_error(failed)
    except BaseException as error:
        _end(workers, os.getpid())
        if isinstance(error, RuntimeError):
            add_note(error, "Workers initialization failed")
        raise
    return workers


def _pickled(sent: WorkerSource, write: Callable[[Any], bytes]) -> WorkerSource:
    """A source for another process, with the object of the program in it pickled."""
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
    return WorkerSource(callback, sent.outputs)


def _end(workers: list[_WorkerProcess], program: int) -> None:
    if os.getpid() != program:  # a forked process inherits what it should leave alone
        return
    for worker in workers:
        with contextlib.suppress(OSError):
            worker.connection.send(None)
        worker.connection.close()
    processes = [worker.process for worker in workers]
    _join(processes)  # one may be in the middle of a long call
    for end in (BaseProcess.terminate, BaseProcess.kill):
        left = [each for each in processes if each.is_alive()]
        for each in left:
            end(each)
        _join(left)


def _join(processes: list[BaseProcess]) -> None:
    end = time.monotonic() + _END_SECONDS
    for each in processes:
        each.join(max(0.0, end - time.monotonic()))
