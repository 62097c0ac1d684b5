"""Threads that work in the background of a program, and how all of them end before the interpreter does."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from abc import abstractmethod

# At exit all of them together get this long to finish what they are at; what hangs is left behind.
EXIT_SECONDS = 1.0


class BackgroundThread(threading.Thread):
    """A daemon thread that is asked to end at exit, and waited for."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)

    @abstractmethod
    def work(self) -> None:
        """What the thread does until it is asked to end."""

    @abstractmethod
    def stop(self) -> None:
        """Asks the thread to end; may be called from finalizers, and more than once."""

    def start(self) -> None:
        _running.add(self)
        try:
            super().start()
        except RuntimeError:  # there can be no more threads
            _running.discard(self)
            raise

    def run(self) -> None:
        try:
            self.work()
        finally:
            _running.discard(self)


_running: set[BackgroundThread] = set()
_is_exiting = False


def is_exiting() -> bool:
    """Whether the interpreter is about to go: threads of the program that still wait need not be told."""
    return _is_exiting


def _stop_all() -> None:
    """Native code had better not run while the interpreter is taken down; work that hangs may not keep it up either."""
    global _is_exiting
    _is_exiting = True
    threads = [*_running]
    for thread in threads:
        thread.stop()
    end = time.monotonic() + EXIT_SECONDS
    for thread in threads:
        if thread is not threading.current_thread() and thread.ident is not None:
            thread.join(max(0.0, end - time.monotonic()))


def _forget_all() -> None:
    """A forked child has none of them."""
    _running.clear()


# weakref calls finalizers at exit, out of a table that our threads change. What was registered last is called first, so
# it must be there before us.
weakref.finalize(BackgroundThread, _stop_all).detach()
atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
