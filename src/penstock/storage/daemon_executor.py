"""`DaemonExecutor`: threads for work that waits for servers, which delays neither program exit nor interrupts."""

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

# How long program exit waits for threads to finish: native code must not run while the interpreter shuts down. Threads
# that wait for a request end as soon as it is abandoned.
_EXIT_SECONDS = 5.0


class Work(Protocol):
    """A task that is run once. Its waiters are notified by `run` or by `abandon`, whichever comes first."""

    def run(self) -> None: ...

    def abandon(self, why: str, error: type[BaseException]) -> None: ...


class DaemonExecutor(Executor):
    """Up to `threads` daemon threads.

    concurrent.futures joins its threads at exit, so a server that does not answer would keep the program alive. Here
    work can be abandoned, and a new thread replaces one that is blocked by it.

    Only locks and simple queues are used for waiting. Conditions, events and semaphores are written in Python: a
    KeyboardInterrupt inside of them may leave them locked.
    """

    def __init__(self, threads: int, name: str, exit_seconds: float = _EXIT_SECONDS) -> None:
        self._limit, self._name, self._exit_seconds = threads, name, exit_seconds
        self._lock = threading.Lock()
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._unfinished: dict[Work, threading.Thread | None] = {}
        self._threads: set[threading.Thread] = set()
        self._closed: type[BaseException] | None = None  # what whoever starts more work gets

    def start(self, work: Work) -> None:
        with self._lock:
            if self._closed is not None:
                raise self._closed("nothing is fetched any more")
            self._unfinished[work] = None
            self._queue.put(work)
            self._add_thread()

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        work = _FunctionWork(lambda: function(*args, **kwargs))
        self.start(work)
        return work.future

    def abandon(self, work: Work, why: str, error: type[BaseException] = RuntimeError) -> None:
        """Gives up unfinished work: its waiters get an error. Does nothing if it has finished."""
        with self._lock:
            if work not in self._unfinished:
                return
            thread = self._unfinished.pop(work)
            if thread is not None:
                self._threads.discard(thread)
                self._add_thread()
        work.abandon(why, error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Abandons all work, as a `with` statement does at its end; waits for nothing."""
        self.close("no longer waited for")

    def close(self, why: str, error: type[BaseException] = RuntimeError) -> None:
        """Abandons all work. Threads that are not blocked end."""
        with self._lock:
            self._closed = error
            unfinished, threads = list(self._unfinished), list(self._threads)
        for work in unfinished:
            self.abandon(work, why, error)
        for _ in threads:
            self._queue.put(None)

    def _add_thread(self) -> None:
        self._threads = {thread for thread in self._threads if thread.is_alive()}
        if self._closed is None and len(self._threads) < min(self._limit, len(self._unfinished)):
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
                    return  # abandoned: another thread has replaced this one
                del self._unfinished[work]
            del work  # frees its data before the wait for the next one


class _FunctionWork:
    """A function whose result goes into a Future."""

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

    def abandon(self, why: str, error: type[BaseException]) -> None:
        with suppress(InvalidStateError):
            self.future.set_exception(error(why))


_executors: dict[tuple[str, int], DaemonExecutor] = {}
_exit_seconds: WeakKeyDictionary[threading.Thread, float] = WeakKeyDictionary()
_lock = threading.Lock()


def daemon_executor(purpose: str, threads: int, exit_seconds: float = _EXIT_SECONDS) -> DaemonExecutor:
    """The executor for one purpose in this process. Work that waits for other work needs another one: no deadlock."""
    with _lock:
        if (purpose, threads) not in _executors:
            _executors[purpose, threads] = DaemonExecutor(threads, f"penstock-{purpose}", exit_seconds)
        return _executors[purpose, threads]


@atexit.register
def _close_all() -> None:
    # Only daemon threads can be waiting now. SystemExit ends them without a word: Python aborts the program if it finds
    # one of them in the middle of printing an error.
    for executor in list(_executors.values()):
        executor.close("the program ends", SystemExit)
    began = time.monotonic()
    for thread, seconds in list(_exit_seconds.items()):
        if thread.is_alive():  # else it has ended, or was never started
            thread.join(max(0.0, began + seconds - time.monotonic()))


def _forget_threads() -> None:
    """Drops the executors in a forked child, where their threads do not exist; the next call makes new ones."""
    global _lock
    _executors.clear()
    _exit_seconds.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
