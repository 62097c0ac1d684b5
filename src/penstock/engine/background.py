"""Background threads, all of which end before the interpreter does."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from abc import abstractmethod

# At exit all threads together get this long to finish their current work; one that hangs is not waited for.
EXIT_SECONDS = 1.0


class BackgroundThread(threading.Thread):
    """A daemon thread that is asked to end when the interpreter exits, and waited for."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        # Whether the thread has been started and still works; False in a forked child, which inherits no threads.
        # `is_alive` tells the same by way of a lock and several calls, and compiled loops ask before every step.
        self.running = False

    @abstractmethod
    def work(self) -> None:
        """Runs in the thread until it is asked to end."""

    @abstractmethod
    def stop(self) -> None:
        """Asks the thread to end; may be called from finalizers, and more than once."""

    def start(self) -> None:
        self._note(True)
        try:
            super().start()
        except RuntimeError:  # the system has no more threads, or the interpreter is exiting
            self._note(False)
            raise

    def run(self) -> None:
        try:
            self.work()
        finally:
            self._note(False)

    def _note(self, running: bool) -> None:
        self.running = running
        if running:
            _running.add(self)
        else:
            _running.discard(self)


_running: set[BackgroundThread] = set()
_is_exiting = False


def is_exiting() -> bool:
    """Whether the interpreter is exiting: consumers that still wait for a thread need no error."""
    return _is_exiting


def _stop_all() -> None:
    """Ends all threads: native code must not run while the interpreter is finalized. Waits no longer than the limit."""
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
    """Clears the set of threads in a forked child, which has none of them."""
    for thread in _running:
        thread.running = False
    _running.clear()


# At exit `weakref` walks its table of finalizers, which our threads may change, so they must end first. Exit functions
# run in reverse order of registration: a finalizer is made here to have that walk registered before `_stop_all`.
weakref.finalize(BackgroundThread, _stop_all).detach()
atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
