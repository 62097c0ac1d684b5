"""Notes on exceptions that name the call, the sample and the file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

from penstock._native import Failure, FailureKind, Samples

if TYPE_CHECKING:
    from penstock.engine.invocation import Invocation

_EXCEPTIONS: dict[FailureKind, type[Exception]] = {
    FailureKind.runtime: RuntimeError,
    FailureKind.value: ValueError,
    FailureKind.memory: MemoryError,
}


def from_failure(failure: Failure) -> Exception:
    """Returns the Python exception for a failure of the native core."""
    return _EXCEPTIONS[failure.kind](failure.message)


def source_of(inputs: list[Samples], sample: int) -> str | None:
    """Returns the file that a sample was read from; None where no input knows it."""
    for samples in inputs:
        sources: list[str] | None = samples.sources
        if sources and (sample < len(sources) or len(sources) == 1):
            return sources[sample if len(sources) > 1 else 0] or None
    return None


def annotate(
    error: BaseException, call: Invocation, sample: int | None = None, source: str | None = None
) -> BaseException:
    """Adds a note to an error: the call it happened in, the sample and its file. Errors with such a note keep it."""
    if getattr(error, "_penstock_call", None) is not None:
        return error
    error._penstock_call = call.op.path  # type: ignore[attr-defined]
    of_batch = sample is not None and call.batch_size is not None
    if sample is not None and call.numbers is not None:
        sample = int(call.numbers.sample(sample))
    place = f", sample {sample}" if of_batch else ""
    lines = [f"in {call.op.path.lstrip('_')}{place}, called at {call.site.describe()}"]
    if source:
        lines.append(f"  sample {sample} is {source}" if of_batch else f"  the sample is {source}")
    raised = getattr(error, "_penstock_raised", None)
    if raised:
        lines.append(f"raised in {call.op.name}:\n{raised}")
    add_note(error, "\n".join(lines))
    return error


E = TypeVar("E", bound=BaseException)


def tell_where(error: E, lines: str) -> E:
    """Keeps the lines of a user's own function that an error was raised in; `annotate` adds them to its note."""
    error._penstock_raised = lines  # type: ignore[attr-defined]
    return error


def add_note(error: BaseException, note: str) -> None:
    if sys.version_info >= (3, 11):
        error.add_note(note)
    else:
        head = str(error.args[0]) if error.args else ""
        error.args = (f"{head}\n{note}", *error.args[1:])
