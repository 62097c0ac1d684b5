"""The one place where it is decided which backend carries out a call."""

from __future__ import annotations

from penstock.engine.backends.backend import Backend, Task
from penstock.engine.backends.batchwise import Batchwise
from penstock.engine.backends.native import Native
from penstock.engine.backends.plain import Plain
from penstock.engine.backends.stacked import Stacked
from penstock.engine.backends.storage import Storage
from penstock.engine.invocation import Invocation

# Backends for operators that have more than their plain function, best first. The seat of one for accelerators is
# before `Native()`: it accepts the calls whose data are on its device, which none of the others could read.
_KERNELS: tuple[Backend, ...] = (Native(), Storage(), Batchwise(), Stacked())
PLAIN = Plain(_KERNELS)
LADDER: tuple[Backend, ...] = (*_KERNELS, PLAIN)


def choose(task: Task) -> tuple[Backend, int] | None:
    """The backend for the first call of a task, and how many calls it carries out together.

    None where the data decide and are not there yet, which is never so for a task that is about to run.
    """
    for backend in LADDER:
        count = backend.accepts(task)
        if count is None:
            return None
        if count:
            return backend, count
    raise AssertionError("the plain function serves every call")


def is_chainable(call: Invocation) -> bool:
    """Whether the call may share a stage with its neighbours: it has one result, and its first choice takes chains."""
    if len(call.specs) != 1:
        return False
    for backend in LADDER:
        if backend.serves(call):
            return backend.takes_chains
    raise AssertionError("the plain function serves every call")
