"""A compiled loop: its first step is traced while it runs, the others are run ahead of the program."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from weakref import ref

from penstock.capture import values
from penstock.capture.forecast import Forecast, Places
from penstock.capture.report import Report, report_of
from penstock.capture.step import Kind, Plan, Step
from penstock.capture.trace import Refused, Trace
from penstock.capture.values import Captured
from penstock.dynamic.call import results_of
from penstock.dynamic.recorder import active
from penstock.dynamic.value import Value
from penstock.engine.ahead import Ahead
from penstock.engine.context import EvalContext
from penstock.engine.graph import Port
from penstock.engine.invocation import Invocation
from penstock.engine.modes import EvalMode
from penstock.readers.on_error import Batch as ReadBatch
from penstock.readers.prefetch import Prefetcher
from penstock.readers.source import Outputs
from penstock.schema.operator import Operator

# Once so many steps in a row have drawn otherwise than foreseen, random calls are no longer made ahead.
_MOST_WRONG = 3

_SYNCHRONOUS = (EvalMode.sync_cpu, EvalMode.sync_full)


class NotCapturedError(RuntimeError):
    """A call of a strict loop that could not be made ahead."""


class Loop:
    """The epochs of a reader as one loop.

    A call in its body is compared with those of the steps before: where it is one of them it was made ahead and is
    handed out, any other is made as it comes.
    """

    def __init__(self, batch_size: int, depth: int) -> None:
        self._batch_size = batch_size
        self._depth = max(depth, 2)
        self._context = EvalContext.current()
        self._strict = False
        self._kind: Kind = ()
        self._forecast = Forecast()
        self._trace = Trace(self._forecast)
        self._ports: list[Port] = []
        self._plan: Plan | None = None
        self._ahead: Ahead[Step] | None = None
        self._step: Step | None = None
        self._again: Step | None = None  # its batch was handed out in part, the rest belongs to the next epoch
        self._wrong = 0

    @property
    def report(self) -> Report:
        return report_of(self._trace)

    # The reader asks for one step after the other.

    def run(self, epoch: Iterator[Any], context: EvalContext, strict: bool) -> Iterator[Any]:
        """Hands out an epoch while the calls of this thread are compared, those of a loop inside of it left out."""
        self._context, self._strict = context, strict
        active.loops.append(self)
        _latest.loop = self
        try:
            yield from epoch
            self._end_step()
        finally:
            active.loops.remove(self)
            self._step = None
            self._stop()

    def take(self, batches: Prefetcher, left: int) -> ReadBatch:
        """The next batch of the epoch, with what has been made of it."""
        self._end_step()
        self._forecast.begin_step()
        self._batches = batches
        step, self._again = self._again or self._next_step(), None
        batch, rest = batches.hand_out(step.fetched, left)
        if rest is not None:
            self._again = Step(rest, None, step.places)
        if isinstance(batch, Exception):
            raise batch
        if batch.outputs:
            self._begin(step)
        return batch

    def as_outputs(self, outputs: Outputs, single: bool) -> Any:
        assert self._step is not None
        return tuple(map(values.given, outputs, [self._step] * len(outputs), self._ports))

    def _begin(self, step: Step) -> None:
        self._step = step
        if step.kind != self._kind:
            self._kind, self._plan = step.kind, None
            self._trace = Trace(self._forecast)
            self._ports = [Port(None, index) for index in range(len(step.given))]

    def _end_step(self) -> None:
        """Looks back on the step that is over, and plans those to come."""
        step, self._step = self._step, None
        if step is None:
            return
        if self._trace.settle(step):
            self._replan()
        if self._trace.steps == 1 and not self._trace.planned:
            warnings.warn(
                "capture=True was specified but no operators were captured during tracing. Falling back to dynamic "
                "mode. ndd.capture.report() says why.",
                stacklevel=5,
            )

    def _replan(self) -> None:
        planned = self._trace.planned
        self._plan = Plan(planned, self._kind, self._context) if planned else None

    def _next_step(self) -> Step:
        while self._plan is not None:
            if self._ahead is None or not self._ahead.alive:
                make = partial(self._made, self._forecast.steps())
                self._ahead = Ahead(make, self._depth, "penstock-compiled")
            step = self._ahead.take()
            if step.is_foreseen():
                self._wrong = 0
                return step
            self._stop(step)
            self._wrong += 1
            if self._wrong == _MOST_WRONG:
                self._give_up(step)
        self._stop()
        return Step(self._batches.fetch(), None, next(self._forecast.steps()))

    def _made(self, places: Iterator[Places]) -> Step:
        return Step(self._batches.fetch(), self._plan, next(places)).run(self._context.pool)

    def _give_up(self, step: Step) -> None:
        assert step.plan is not None
        self._forecast.given_up |= step.plan.generators
        self._trace.unsettle()
        self._trace.settle(step)
        self._replan()

    def _stop(self, *taken: Step) -> None:
        """Ends the running ahead; what was fetched for it goes back to the reader."""
        if self._ahead is not None:
            steps = [*taken, *self._ahead.stop()]
            self._batches.put_back(step.fetched for step in steps)
            self._ahead = None

    # The calls of the loop's body.

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        step = self._step
        if step is None or self._trace.is_full:
            return None
        node = self._trace.found(op, inputs, keywords, step)
        if node is None or not step.has(node):
            self._check_size(keywords.get("batch_size"))
            return None
        if node.written.draws is not None:
            node.written.draws.rng.skip_words()
        self._trace.sighted(node)
        results = values.results(node, step, step.made.get(node))
        if EvalMode.current() in _SYNCHRONOUS:
            for value in results:
                value.evaluate()
        return results[0] if len(results) == 1 else tuple(results)

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        step = self._step
        if step is None or self._trace.is_full:
            return results_of(call)
        node = self._trace.node_of(call, inputs, keywords, step)
        if isinstance(node, Refused):
            self._refuse(node)
            for value in (*inputs, *keywords.values()):
                if isinstance(value, Captured) and value._samples is None:
                    value._ask()
            return results_of(call)
        if self._trace.steps and not step.has(node):
            self._refuse(self._trace.refuse(call, self._trace.changed(node)))
        self._trace.sighted(node)
        results = values.results(node, step, call)
        call.handles += map(ref, results)
        return results

    def _check_size(self, size: Any) -> None:
        if size is not None and size != self._batch_size:
            raise RuntimeError(f"Cannot change batch size to {size}, the capture-mode loop uses {self._batch_size}.")

    def _refuse(self, refused: Refused) -> None:
        if self._strict:
            raise NotCapturedError(f"{refused.operator} was not captured: {refused.reason}")


class _Latest(threading.local):
    loop: Loop | None = None


_latest = _Latest()


def report() -> Report:
    """What this thread's compiled loop makes ahead and what it does not; that of the last one where none is running.

    Example:
        >>> print(ndd.capture.report())
        captured:
          decoders.image at train.py:8
          resize at train.py:9
        not captured:
          rotate at train.py:10: angle changed from one step to the next
    """
    if _latest.loop is None:
        raise RuntimeError("no loop of this thread was compiled; next_epoch(batch_size=..., compile=True) does")
    return _latest.loop.report
