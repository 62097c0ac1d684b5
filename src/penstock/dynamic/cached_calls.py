"""Runs a function whose results are to be kept, and tells which calls it makes."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.dynamic.calls.call import results_of
from penstock.dynamic.calls.recorder import active
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.value import Value
from penstock.engine.context import EvalContext
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation
from penstock.engine.modes import EvalMode
from penstock.engine.threads import ThreadPool
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU


def run_function(
    function: Callable[..., Any], given: Sequence[Samples], pool: Pool | None
) -> tuple[list[Samples], list[str]]:
    """Runs a function on samples; returns its results, and its calls in words that are equal where they are.

    All calls are planned together, as in deferred mode. Random ones, and others whose results cannot be kept, are
    refused.
    """
    recorder = _CallRecorder(given)
    context = EvalContext(thread_pool=None if pool is None else ThreadPool.over(pool))
    loops = active.loops
    active.loops = [*loops, recorder]
    try:
        with context, EvalMode.deferred:
            made = function(*[Batch._of_samples(samples) for samples in given])
            results = [*made] if isinstance(made, (tuple, list)) else [made]
            for each in results:
                if not isinstance(each, Batch) or len(each) != len(given[0]):
                    raise TypeError(
                        f"{getattr(function, '__name__', 'function')}(), cached by ndd.cache, returns Batches of as "
                        f"many samples as it is given, got {type(each).__name__}"
                    )
            return [each._made() for each in results], recorder.calls
    finally:
        active.loops = loops


class _CallRecorder:
    """Hears of the calls that the function makes."""

    def __init__(self, given: Sequence[Samples]) -> None:
        self.calls: list[str] = []
        self._given = given
        self._numbers: dict[int, int] = {}
        self._made: list[Invocation] = []  # which keeps their ids from being used again

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return None

    next_call = foreseen

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        _refuse_uncacheable(call)
        feeds = [self._feed(operand) for operand in call.inputs]
        tensors = {name: self._feed(operand) for name, operand in sorted(call.tensors.items())}
        arguments = {name: _constant(value) for name, value in sorted(call.arguments.items()) if name not in tensors}
        self.calls.append(f"{call.op.path} {_code_of(call.op)} {feeds} {arguments} {tensors}")
        self._numbers[id(call)] = len(self._made)
        self._made.append(call)
        return results_of(call)

    def read(self, read: Any) -> Any:
        raise RuntimeError("a function that is cached by ndd.cache reads no sources of its own: give it their batches")

    def let_go(self) -> None:
        """Nothing is ever fetched ahead."""

    def _feed(self, operand: Any) -> str:
        if isinstance(operand, Port):
            return f"{self._numbers.get(id(operand.node))}.{operand.index}"
        for number, samples in enumerate(self._given):
            if operand is samples:
                return f"input {number}"
        return _constant(operand)


def _refuse_uncacheable(call: Invocation) -> None:
    """Raises for a call whose result may not be kept."""
    op = call.op
    if op.draw is not None:
        raise RuntimeError(
            f"{op.path}() draws random numbers, and what ndd.cache keeps would be the same in every epoch; call it on "
            "the result of the cached function"
        )
    if op.batchwise:
        raise RuntimeError(
            f"{op.path}() looks at several samples of a batch; call it on the result of the cached function"
        )
    if op.acts or (call.policy is not None and (call.policy.skips or call.policy.tells)):
        raise RuntimeError(
            f"{op.path}() does more than make a result, which ndd.cache would do in the first epoch only"
        )
    if call.device != CPU:
        raise RuntimeError(f"{op.path}() runs on a GPU, and ndd.cache keeps samples of the CPU")


def _constant(value: Any) -> str:
    """A constant argument in words that are equal in every process."""
    if isinstance(value, Samples):
        return f"[{', '.join(_constant(value.sample(k)) for k in range(len(value)))}]"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape} {hashlib.blake2b(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_constant, value))}]"
    return repr(value)


def _code_of(op: Operator) -> str:
    """A digest of the code of a user's own operator; nothing for those of the library, whose version is known."""
    own = getattr(op.function, "__wrapped__", None)
    code = getattr(own, "__code__", None)
    return "" if code is None else hashlib.blake2b(repr(_code_parts(code)).encode()).hexdigest()


def _code_parts(code: types.CodeType) -> Any:
    constants = [_code_parts(each) if isinstance(each, types.CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, constants
