"""The main function of a worker process: calls sources and writes their arrays to shared memory."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import traceback
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from penstock.pipeline.sources.batch_from_arrays import as_arrays
from penstock.pipeline.sources.callback import Callback
from penstock.pipeline.sources.callback_source import in_outputs, sample_places
from penstock.pipeline.workers.shared_arrays import Array, BlockWriter, send_descriptor
from penstock.pipeline.workers.task import SourceTask
from penstock.values.sample_info import BatchInfo, SampleInfo


class WorkerSource(NamedTuple):
    """A source for a worker; `outputs` values make an item, None where it is one value itself."""

    callback: Callback
    outputs: int | None


class SourceFailure(NamedTuple):
    """The exception that a source raised: pickled, or None where that fails, and its printed traceback."""

    error: bytes | None
    printed: str


class SourceEnd(NamedTuple):
    """A source is exhausted."""


def work(
    connection: Connection, sources: list[WorkerSource] | bytes, read: Callable[[bytes], Any] | None, least: int
) -> None:
    """Answers one task after the other until the program closes the connection or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler of the program is not for its forks
    with contextlib.suppress(OSError):  # the program has closed its end
        _answer(connection, sources, read, least)


def _answer(
    connection: Connection, sources: list[WorkerSource] | bytes, read: Callable[[bytes], Any] | None, least: int
) -> None:
    try:
        known: list[WorkerSource] = sources if isinstance(sources, list) else _sources(sources, read)
    except Exception as error:
        connection.send((None, _failed(error)))
        return
    connection.send((None, None))
    blocks = BlockWriter(least)
    states = [_Epochs(each) for each in known]
    sent: dict[int, int] = {}  # by block: macOS may lose a descriptor that is closed before it has arrived
    program = parent_process()
    assert program is not None
    while True:
        if connection not in wait([connection, program.sentinel]):
            return
        try:
            message = connection.recv()
        except EOFError:
            return
        if message is None:
            return
        ticket, task, freed = message
        blocks.free(freed)
        for block in sent.keys() & freed:
            os.close(sent.pop(block))
        answer: Any
        descriptor = None
        try:
            columns, layouts = states[task.source].made(task)
            answer, descriptor = blocks.write(columns, layouts)
        except StopIteration:
            answer = SourceEnd()
        except Exception as error:
            answer = _failed(error)
        connection.send((ticket, answer))
        if descriptor is not None:
            send_descriptor(connection, descriptor)
            sent[answer.block] = descriptor


def _sources(written: bytes, read: Callable[[bytes], Any] | None) -> list[WorkerSource]:
    assert read is not None
    sources: list[WorkerSource] = pickle.loads(written)
    for each in sources:
        each.callback.source = read(each.callback.source)
    return sources


class _Epochs:
    """A source, and the epoch in which it ended: an iterable is not asked again until the next."""

    def __init__(self, sent: WorkerSource) -> None:
        self._callback, self._outputs = sent
        self._epoch: int | None = None
        self._ended = False

    def made(self, task: SourceTask) -> tuple[list[list[Array]], list[str]]:
        if task.epoch != self._epoch:
            if self._epoch is not None:
                self._callback.restart()
            self._epoch, self._ended = task.epoch, False
        if self._ended and not self._callback.is_callable:
            raise StopIteration
        try:
            return self._made(task)
        except StopIteration:
            self._ended = True
            raise

    def _made(self, task: SourceTask) -> tuple[list[list[Array]], list[str]]:
        places: list[BatchInfo] | list[SampleInfo] = [BatchInfo(task.number, task.epoch)]
        if task.places is not None:
            places = sample_places(task.number, task.epoch, task.batch_size, task.places)
        items: list[Any] = []
        for place in places:
            self._callback.pull(place, items)
        rows = [in_outputs(item, self._outputs) for item in items]
        columns = rows[0] if task.places is None else zip(*rows, strict=True)
        batches = [as_arrays(column) for column in columns]
        return [batch.arrays for batch in batches], [batch.layout for batch in batches]


def _failed(error: Exception) -> SourceFailure:
    printed = "".join(traceback.format_exception(error))
    try:
        written = pickle.dumps(error)
        pickle.loads(written)
    except Exception:
        return SourceFailure(None, printed)
    return SourceFailure(written, printed)
