"""A compiled loop: its first step is traced while it runs, the following steps are run ahead of the program.

The run-ahead thread follows a plan, the calls that the body made in the steps before. That is a guess: the body is
ordinary Python and may branch, change an argument or break. So every call of the body is compared with the planned
ones, by operator, inputs, arguments and random position. An equal call gets the result that was made ahead; any other
call runs when it is made. A wrong guess costs time in that step and never changes a result.

Nothing made ahead is visible to the program before it is handed out. The sources keep their batches by number until
then, and random generators are moved only by the body's own calls. Steps made ahead can therefore be discarded and made
again at any time: with another plan, after an interrupt, or because somebody else wants to read the source.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from weakref import WeakSet, ref

from penstock._native import StepCalls, captured_values
from penstock.capture.feeds import Feeds, LoopSource, with_note
from penstock.capture.loop_plan import LoopPlan, Setting, UncapturedCall
from penstock.capture.loop_step import LoopStep
from penstock.capture.report import SOURCE, latest
from penstock.capture.rng_forecast import RngForecast
from penstock.capture.steps_ahead import StepsAhead
from penstock.capture.trace import Trace
from penstock.capture.values import Captured, CapturedBatch, CapturedTensor
from penstock.dynamic.calls.call import results_of
from penstock.dynamic.calls.recorder import Recorder, active
from penstock.dynamic.sources.items import FetchedItem, Item, Read, plain_values
from penstock.dynamic.values.value import Value
from penstock.engine import events
from penstock.engine.context import EvalContext
from penstock.engine.graph.node import Node, NodePort, Port
from penstock.engine.hand_over import Handed
from penstock.engine.invocation import Invocation
from penstock.engine.program.step import Kind
from penstock.engine.site import Site, here
from penstock.readers.core.prefetch import Prefetcher
from penstock.readers.core.sample_source import Outputs
from penstock.schema.operator import Operator

# Loops that see more kinds of batches are traced anew now and then.
_MOST_KINDS = 16
# Once so many steps in a row were discarded for a wrong forecast of random positions, random calls are no longer made
# ahead.
_MOST_WRONG = 3


_NO_CALLS: frozenset[Node] = frozenset()


class NotCapturedError(RuntimeError):
    """A strict loop made a call that cannot be made ahead."""


class _Traced(NamedTuple):
    """What is known of the steps with batches of one kind, while steps with another kind run."""

    trace: Trace
    ports: list[NodePort]
    feeds: Feeds
    plan: LoopPlan | None


class Loop:
    """A compiled loop over the epochs of a reader or the items of a source.

    Args:
        source: The name of the reader or source, for explanations.
        batch_size: The size of all batches; the last one of an epoch may be smaller.
        depth: How many steps are made ahead, at least 2.
        quiet: Do not warn if no call can be made ahead.
    """

    _source: LoopSource  # of the epoch that is running

    def __init__(self, source: str, batch_size: int, depth: int, quiet: bool = False) -> None:
        self.batch_size = batch_size
        self._quiet = quiet
        self._name = source
        self._depth = max(depth, 2)
        self._ahead = StepsAhead(self._depth)
        self._context = EvalContext.current()
        self._strict = False
        self._kind: Kind = ()  # the kind of batch that was traced; trace, ports, feeds and plan are for it
        self._other_kinds: dict[Kind, _Traced] = {}
        self._forecast = RngForecast()
        self._trace = Trace(self._forecast)
        self._ports: list[NodePort] = []
        self._feeds = Feeds(0)
        self._plan: LoopPlan | None = None
        self._step: LoopStep | None = None
        self._leased: LoopSource | None = None  # has been claimed, and by nobody else since
        self._calls = StepCalls()  # those of `_step`
        self.next_call = self._calls.next
        self._wrong = 0  # how many steps in a row were discarded for a wrong forecast
        self._interrupted = False  # the last run did not end in order: its state may be that of half a step
        _loops.add(self)

    @property
    def running(self) -> bool:
        return self in active.loops

    # Steps: the reader or source that is iterated over calls these.

    def run(self, epoch: Iterator[Any], context: EvalContext, strict: bool) -> Iterator[Any]:
        """Yields the batches of an epoch; meanwhile the calls of this thread are compared with the plan.

        Only one loop of a thread is told of calls: the innermost one or, of several that are gone through side by side,
        the one that took the last step. The run-ahead thread goes on into the next epoch, unless the body reads sources
        of its own: code between the epochs may read them too, and must get the next item.
        """
        if context is not self._context:
            self.let_go()
        if self._interrupted:
            self._start_over()
        self._interrupted = True
        self._context, self._strict = context, strict
        self._ahead.thread = threading.get_ident()
        try:
            active.loops.append(self)
            latest.traced = self._trace, self._feeds
            yield from epoch
            self._end_step()
            if self._feeds:
                self.let_go()
            self._interrupted = False
        except BaseException as error:
            active.loops = _without(active.loops, self)
            self.let_go()
            self._interrupted = not isinstance(error, (Exception, GeneratorExit))
            raise
        finally:
            try:
                self._ahead.thread = self._step = None
                self._calls.end()
            finally:  # also after an interrupt: calls of this thread would be compared with the plan ever after
                active.loops = _without(active.loops, self)

    def take(self, source: LoopSource, left: int | None = None) -> Handed:
        """Ends the current step and begins the next one; returns its batch, ready to be handed to the program."""
        step = self._begin_step(source)
        handed = source.handed(step.fetched[0], left)
        # An epoch may end inside of a reader's batch: the rest of it is the next batch then.
        if step.error is not None or (type(source) is Prefetcher and handed.behind.rest is not None):
            self._ahead.stop()  # the steps made after this one, if any, do not begin with the batch that comes next
        if isinstance(handed.batch, Exception):
            with_note(handed.batch, source, here())
        elif handed.batch.outputs:
            self._enter(step)
        return handed

    def items(self, read: Read) -> Iterator[Any]:
        """Yields the items of a source, one for each step, until the source ends; hands them to the program itself."""
        while True:
            step = self._begin_step(read)
            fetched: Any = step.fetched[0]
            item, error, ended = None, fetched.error, False
            if step.error is not None:
                self._ahead.stop()
            if error is not None:
                with_note(error, read, here())
                ended = isinstance(error, StopIteration)
            else:
                self._enter(step)
                item = captured_values(CapturedBatch, fetched.outputs, self._ports, step)
                if len(item) == 1:
                    item = item[0]
            read.items.place = fetched.number + 1  # the hand-over; no call may follow before the yield, see `Handed`
            if ended:
                return
            if error is not None:
                raise error
            del step, fetched
            yield item

    def as_outputs(self, outputs: Outputs) -> Any:
        """Returns the outputs of the current step's batch as captured Batches.

        Returns None for other outputs, and where this is not the innermost loop of the thread.
        """
        step, loops = self._step, active.loops
        if step is None or not loops or loops[-1] is not self or step.fetched[0].outputs is not outputs:
            return None
        return captured_values(CapturedBatch, outputs, self._ports, step)

    def _begin_step(self, source: LoopSource) -> LoopStep:
        """Ends the current step; returns the next one, whose first batch is handed out now."""
        if self._step is not None:
            self._end_step()
        loops = active.loops
        if not loops or loops[-1] is not self:
            active.loops = [*(loop for loop in loops if loop is not self), self]
        self._forecast.begin_step()
        self._source = source
        if source is not self._leased:
            source.claim(self)
            self._leased = source
        step = self._next_step()
        step.handed_out = 1
        return step

    def _enter(self, step: LoopStep) -> None:
        """Has the calls of this thread compared with those that were made ahead for a step."""
        self._step = step
        kind = step.kinds[0]
        # Batches of another kind, by types or sizes, have their own trace and plan.
        if kind is not self._kind and kind != self._kind:
            self._switch_to(kind, step.plan is not None)
            latest.traced = self._trace, self._feeds
        trace = self._trace
        known = _NO_CALLS if step.plan is None else step.plan.known
        self._calls.begin(step, trace.expected, trace.now, known, step.results or {})

    # Planning: the calls of a finished step are the plan of the next ones.

    def _next_step(self) -> LoopStep:
        """Returns the next step, made ahead where there is a plan.

        A step whose random results began at the wrong positions is discarded and made again from the right ones: the
        sources still have its batches.
        """
        while self._plan is not None:
            step = self._ahead.take()
            restarted = step is None
            if step is None:
                self._ahead.stop()
                self._ahead.start(self, self._source, self._plan, self._plans, self._forecast)
                step = self._ahead.take()
                assert step is not None
            if step.plan is None or not step.plan.generators or step.is_foreseen():
                if not restarted:  # the first step of a run starts from the actual positions, so it proves nothing
                    self._wrong = 0
                return step
            self._ahead.stop()
            self._wrong += 1
            if self._wrong == _MOST_WRONG:
                self._give_up_drawing(step)
        self._ahead.stop()
        return self._ahead.unplanned(self._source, self._forecast)

    def _switch_to(self, kind: Kind, planned: bool) -> None:
        """Goes on with batches of another kind: as planned, or with a new trace."""
        if self._kind:
            if len(self._other_kinds) >= _MOST_KINDS:
                self._other_kinds.clear()
            self._other_kinds[self._kind] = _Traced(self._trace, self._ports, self._feeds, self._plan)
        known = self._other_kinds.pop(kind, None)
        if known is None or not planned:
            ports: list[NodePort] = [Port(None, index) for index in range(len(kind))]
            known = _Traced(Trace(self._forecast, self._trace), ports, Feeds(len(kind)), None)
        self._kind = kind
        self._trace, self._ports, self._feeds, self._plan = known

    def _end_step(self) -> None:
        """Ends the current step: plans the next ones anew where its calls or reads differed from the plan."""
        step, self._step = self._step, None
        if step is None:
            return
        as_expected = self._calls.end()
        if step.astray or len(self._feeds) >= step.handed_out:
            self._ahead.stop()
            self._kind, self._plan = (), None  # no batch is of this kind, so the next step is traced like a first one
            for feed in self._feeds[step.handed_out - 1 :]:
                self._refuse(self._trace.refuse(SOURCE, feed.site, "An ExternalSource was not consumed this step"))
            return
        trace = self._trace
        if as_expected and trace.repeats(step):
            return
        if trace.settle(step):
            self._replan()
        if trace.steps == 1 and not self._quiet and not trace.planned and not trace.hesitates:
            warnings.warn(
                "capture=True was specified but no operators were captured during tracing. Falling back to dynamic "
                "mode. ndd.capture.report() says why.",
                stacklevel=5,
            )

    def _replan(self) -> None:
        """Makes a new plan of the calls that the trace has chosen, for the steps to come."""
        planned = self._trace.planned
        setting = Setting(self._name, self._depth, self._trace.refused)
        self._plan = LoopPlan(planned, self._kind, self._feeds, self._context, setting) if planned else None
        self._ahead.replan(self._plan, self._plans)
        if self._plan is not None:
            events.tell(self, self._plan)

    @property
    def _plans(self) -> list[LoopPlan]:
        """The plans for all kinds of batches that there is one for, that for the current kind first."""
        plans = [self._plan, *(other.plan for other in self._other_kinds.values())]
        return [plan for plan in plans if plan is not None]

    def _give_up_drawing(self, step: LoopStep) -> None:
        """Stops making random calls of the plan's generators ahead: the program draws from them irregularly."""
        assert step.plan is not None
        self._forecast.given_up |= step.plan.generators
        self._other_kinds.clear()  # their plans draw from them, too
        self._trace.unsettle()
        self._trace.settle(step)
        self._replan()

    def _refuse(self, refused: UncapturedCall) -> None:
        """Raises NotCapturedError for a call that cannot be made ahead, if the loop is strict."""
        if self._strict:
            raise NotCapturedError(f"{refused.operator} was not captured: {refused.reason}")

    def let_go(self) -> None:
        """Stops running ahead because somebody else wants to read the sources."""
        self._ahead.let_go()
        self._leased = None

    @property
    def is_underway(self) -> bool:
        """Whether the loop cannot stop running ahead just now; see `StepsAhead.is_underway`."""
        return self._ahead.is_underway

    def _start_over(self) -> None:
        """Forgets the plan after an interrupt, which may have come at any point of a step.

        Batches that were fetched and not handed out are fetched again, so the program misses none and gets none twice.
        """
        self.let_go()
        self._other_kinds.clear()
        self._kind, self._plan = (), None

    # Reads: the sources that the loop's body reads call these.

    def read(self, read: Read) -> Handed:
        """Returns the next item of a source that the body reads; what was fetched ahead for the step, if it is that."""
        step = self._step
        if step is None:
            return read.now()
        self._check_size(read.size)
        read.claim(self)
        at = step.handed_out
        if not _is_next(step, at, read):
            self._ahead.stop()
            step.fetch_late(read)
        step.handed_out += 1
        fetched: Any = step.fetched[at]
        return read.handed(fetched)._replace(batch=self._values(read, fetched, at, step, here()))

    def _values(self, read: Read, fetched: FetchedItem, at: int, step: LoopStep, site: Site) -> Item | BaseException:
        """Returns the item, or the exception, that the program gets for the read with index `at` of a step.

        The values are captured ones, whose calls can be made ahead, only where all steps read the same sources in the
        same order: otherwise the ports of the plan stand for other data.
        """
        if fetched.error is not None:
            step.astray = True
            return with_note(fetched.error, read, site)
        late = self._trace.steps > 0 and at > len(self._feeds)
        ports = None if step.astray else self._feeds.ports(at - 1, read, step.kinds[at], site)
        if ports is None:
            step.astray = True
            self._refuse(self._trace.refuse(SOURCE, site, "it was read otherwise in the step before"))
            return plain_values(fetched)
        if late:
            step.surprised = True
            self._refuse(self._trace.refuse(SOURCE, site, "ExternalSource wasn't seen during tracing"))
        return captured_values(CapturedTensor if fetched.single else CapturedBatch, fetched.outputs, ports, step)

    # Calls: `dynamic/calls/call.py` reports every operator call of the body here.

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Returns the results of a call that the plan has at another place; None for one that must be made now.

        `next_call` has been asked before, for the call that comes at this place.
        """
        step, trace = self._step, self._trace
        if step is None:
            return None
        node = trace.found(op, inputs, keywords, step)
        if node is None:
            if not trace.is_full:
                self._check_size(keywords.get("batch_size"))
            return None
        results = node.pattern.results(step, (step.results or {}).get(node))
        return results if len(results) > 1 else results[0]

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        """Adds a call that is being made to the trace; returns its results.

        The inputs of a call that cannot be made ahead are marked as wanted, so that the next steps make them ahead.
        """
        step = self._step
        if step is None or self._trace.is_full:
            return results_of(call)
        node = self._trace.node_of(call, inputs, keywords, step)
        if isinstance(node, UncapturedCall):
            self._refuse(node)
            for value in (*inputs, *keywords.values()):
                if isinstance(value, Captured) and value._samples is None:
                    value._ask()
            return results_of(call)
        if self._trace.steps and not step.knows(node):
            self._refuse(self._trace.refuse(call.op.path, call.site, self._trace.changed(node)))
        self._trace.sighted(node)
        results = node.pattern.results(step, call)
        call.handles += map(ref, results)
        return results

    def _check_size(self, size: Any) -> None:
        of_step = self._kind[0][1] if self._kind else None  # smaller than the others in the last batch of an epoch
        if size is not None and size not in (self.batch_size, of_step):
            raise RuntimeError(f"Cannot change batch size to {size}, the capture-mode loop uses {self.batch_size}.")


def _is_next(step: LoopStep, at: int, read: Read) -> bool:
    """Whether the item that was fetched for the read with index `at` is what the program gets next from that source.

    It is not where the body reads another source, or where an interrupt kept the program from an earlier item.
    """
    if at == len(step.fetched) or step.sources[at] != read:
        return False
    fetched: Any = step.fetched[at]
    return bool(fetched.number == read.following)


def _without(loops: list[Recorder | None], ended: Loop) -> list[Recorder | None]:
    """Removes a loop from those of a thread.

    Removes as well the None entries of sources called inside of it, which an interrupt may have left behind.
    """
    at = loops.index(ended) if ended in loops else len(loops)
    return loops[:at] + [each for each in loops[at + 1 :] if each is not None]


_loops: WeakSet[Loop] = WeakSet()


def _stop_all_loops() -> None:
    """Stops all loops from running ahead before a fork: a child has no such threads and would lose the items in them.

    A loop that another thread runs, or whose source is the one that forks, goes on.
    """
    for loop in [*_loops]:
        if not loop.is_underway:
            loop.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_stop_all_loops)
