"""Threads for work that waits for servers: neither the end of the program nor an interrupt waits for them."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, ParamSpec, Protocol, TypeVar
from weakref import WeakKeyDictionary

P = ParamSpec("P")
T = TypeVar("T")

# How long the end of the program waits for threads to come to rest: native code may not run on while the interpreter is
# taken down. Those that wait for what others fetch do, as soon as that is abandoned.
_EXIT_SECONDS = 5.0


class Work(Protocol):
    """Something to be done once. Whoever waits for it is told by `run` or by `abandon`, whichever comes first."""

    def run(self) -> None: ...

    def abandon(self, why: str) -> None: ...


class DaemonExecutor(Executor):
    """Up to `threads` threads.

    The threads of concurrent.futures are joined before the interpreter ends, so a server that does not answer keeps the
    program alive. Here work can be abandoned, and a thread that is held up by it loses its place to a new one.

    Locks and simple queues are the only means of waiting: a KeyboardInterrupt cannot come between their calls and leave
    them held, as it can in conditions, events and semaphores, which are written in Python.
    """

    def __init__(self, threads: int, name: str, exit_seconds: float = _EXIT_SECONDS) -> None:
        self._limit, self._name, self._exit_seconds = threads, name, exit_seconds
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._unfinished: dict[Work, threading.Thread | None] = {}
        self._threads: set[threading.Thread] = set()
        self._closed = False

    def start(self, work: Work) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("nothing is fetched any more")
            self._unfinished[work] = None
            self._queue.put(work)
            self._add_thread()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        work = _Call(lambda: function(*args, **kwargs))
        self.start(work)
        return work.future

    def abandon(self, work: Work, why: str) -> None:
        """Ends the waiting for something; nothing happens where it is done."""
        with self._lock:
            if work not in self._unfinished:
                return
            thread = self._unfinished.pop(work)
            if thread is not None:
                self._threads.discard(thread)
                self._add_thread()
        work.abandon(why)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the threads, as a `with` statement does; nothing is waited for."""
        self.close("no longer waited for")

    def close(self, why: str) -> None:
        """Abandons everything. The threads end, unless they are held up."""
        with self._lock:
            self._closed = True
            unfinished, threads = list(self._unfinished), list(self._threads)
        for work in unfinished:
            self.abandon(work, why)
        for _ in threads:
            self._queue.put(None)

    def _add_thread(self) -> None:
        self._threads = {thread for thread in self._threads if thread.is_alive()}
        if not self._closed and len(self._threads) < min(self._limit, len(self._unfinished)):
            thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            self._threads.add(thread)
            _exit_seconds[thread] = self._exit_seconds
            thread.start()

    def _serve(self) -> None:
        thread = threading.current_thread()
        while (work := self._queue.get()) is not None:
            with self._lock:
                if work not in self._unfinished:
                    continue
                self._unfinished[work] = thread
            work.run()
            with self._lock:
                if work not in self._unfinished:
                    return  # another thread has the place of this one
                del self._unfinished[work]
            del work  # and what it holds, before the next one is waited for


class _Call:
    """A function, for whoever waits for its Future."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.future: Future[Any] = Future()
        self._function = function

    def run(self) -> None:
        if self.future.done():
            return
        try:
            result, error = self._function(), None
        except BaseException as raised:
            result, error = None, raised
        with suppress(InvalidStateError):  # it was abandoned
            if error is not None:
                self.future.set_exception(error)
            else:
                self.future.set_result(result)

    def abandon(self, why: str) -> None:
        with suppress(InvalidStateError):
            self.future.set_exception(RuntimeError(why))


_executors: dict[tuple[str, int], DaemonExecutor] = {}
_exit_seconds: WeakKeyDictionary[threading.Thread, float] = WeakKeyDictionary()
_lock = threading.Lock()


def daemon_executor(purpose: str, threads: int, exit_seconds: float = _EXIT_SECONDS) -> DaemonExecutor:
    """Threads that serve one purpose in the whole process: work that waits for other work needs threads of its own."""
    with _lock:
        if (purpose, threads) not in _executors:
            _executors[purpose, threads] = DaemonExecutor(threads, f"penstock-{purpose}", exit_seconds)
        return _executors[purpose, threads]


@atexit.register
def _close_all() -> None:
    for executor in list(_executors.values()):
        executor.close("the program ends")
    began = time.monotonic()
    for thread, seconds in list(_exit_seconds.items()):
        if thread.is_alive():  # else it is done, or was never started
            thread.join(max(0.0, began + seconds - time.monotonic()))


def _forget_threads() -> None:
    """After a fork the threads are gone; the next call makes new ones."""
    global _lock
    _executors.clear()
    _exit_seconds.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
