"""The one place where it is decided which backend carries out a call."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.engine.backends.backend import Backend, Task
from penstock.engine.backends.batchwise import Batchwise
from penstock.engine.backends.gpu import Gpu
from penstock.engine.backends.native import Native
from penstock.engine.backends.plain import Plain
from penstock.engine.backends.stacked import Stacked
from penstock.engine.backends.storage import WholeStorage
from penstock.engine.invocation import Invocation
from penstock.values.accelerator import CPU

# Backends for operators that have more than their plain function, best first. That for accelerators is the first: it
# accepts the calls whose data are on its device, which none of the others could read, and has those that run on the CPU
# all the same, such as decoders, run by the others.
_ON_CPU: tuple[Backend, ...] = (Native(), WholeStorage(), Batchwise(), Stacked())
_GPU = Gpu(lambda task: choose(task, LADDER[1:]))
_KERNELS: tuple[Backend, ...] = (_GPU, *_ON_CPU)
PLAIN = Plain(_KERNELS)
LADDER: tuple[Backend, ...] = (*_KERNELS, PLAIN)


def choose(task: Task, ladder: Sequence[Backend] | None = None) -> tuple[Backend, int] | None:
    """The backend for the first call of a task, and how many calls it carries out together.

    None where the data decide and are not there yet, which is never so for a task that is about to run.
    """
    call = task.call
    of_cpu = call.device == CPU and call.op.inputs_from != "anywhere"  # most are, and need not be asked about
    for backend in LADDER if ladder is None else ladder:
        if of_cpu and backend is _GPU:
            continue
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
        if (backend is not _GPU or call.device != CPU) and backend.serves(call):
            return backend.takes_chains
    raise AssertionError("the plain function serves every call")
