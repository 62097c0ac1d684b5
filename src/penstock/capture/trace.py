"""The trace of a loop: the calls of its steps, which of them are made ahead, and why others cannot be.

A call is made ahead if the steps to come are likely to make it again. Those of the first step are, since a loop mostly
does the same in every step. A call that appears later is planned once two steps in a row have made it, so that a branch
taken now and then does not change the plan. A planned call is dropped after `_PATIENCE` steps without it, or at once
where its line makes another call instead.
"""

from __future__ import annotations

from typing import Any

from penstock._native import CallPattern, Samples
from penstock.capture.constant_argument import ConstantArgument
from penstock.capture.loop_plan import UncapturedCall
from penstock.capture.loop_step import LoopStep
from penstock.capture.rng_forecast import RngForecast
from penstock.capture.traced_call import Expected, RandomDraw, TracedCall, WrittenCall, key_of
from penstock.capture.values import Captured
from penstock.dynamic.invariant import unwrap
from penstock.dynamic.values.value import Value
from penstock.engine.graph.node import Feed, Node, NodePort, Port
from penstock.engine.invocation import Invocation, Operand
from penstock.engine.rng import WORDS_PER_CALL, get_default_rng
from penstock.engine.site import Site
from penstock.schema.operator import Operator

# A call that so many steps have not made is no longer made ahead.
_PATIENCE = 3
# More calls than a step has: the loop was left by an exception, and is still active since the traceback refers to it.
_MOST_CALLS = 10_000


class Trace:
    """The distinct calls of a loop. A node stands for one call of the body, in all steps that make it."""

    def __init__(self, forecast: RngForecast, before: Trace | None = None) -> None:
        self.steps = 0  # how many are finished
        self.planned: list[TracedCall] = []
        self.refused: dict[tuple[str, Site], UncapturedCall] = {} if before is None else before.refused
        self._forecast = forecast
        self._nodes: list[TracedCall] = []  # in the order in which they were first made
        self._of_op: dict[Operator, list[TracedCall]] = {}
        self._before: list[TracedCall] = []  # the calls of the last step, in order
        self.expected: list[CallPattern] = []  # those of the current step: the same
        self.now: list[TracedCall] = []  # the calls of the current step so far
        self._counted = 0  # how many of them have been counted by `_count_sightings`
        self._repeats = 0  # how many steps before this one made the calls of `_before` and are not counted yet
        self._settled = False  # the last step made exactly the planned calls

    def found(
        self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> TracedCall | None:
        """Returns the node of a call that the step's plan has, and notes that the body has made it; None for others.

        This is for calls at another place than in the last step; `StepCalls` compares with the one at the same place.
        """
        self._count_sightings()
        for node in () if self.is_full else self._of_op.get(op, ()):
            if not node.is_sighted(self.steps) and node.is_written_so(inputs, keywords, step):
                if not step.knows(node):
                    return None
                node.pass_draw(keywords, step)
                self.now.append(node)
                return node
        return None

    @property
    def is_full(self) -> bool:
        return len(self.now) >= _MOST_CALLS

    def sighted(self, node: TracedCall) -> None:
        self.now.append(node)

    def _count_sightings(self) -> None:
        """Records in each call the steps that made it; a step that repeats the last one saves time by postponing it."""
        if self._repeats:
            for node in self._before:
                node.repeated(self._repeats)
            self._repeats = 0
        for node in self.now[self._counted :]:
            node.sighted(self.steps)
        self._counted = len(self.now)

    def node_of(
        self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> TracedCall | UncapturedCall:
        """Returns the node of a call that is being made now, or the reason why it cannot be made ahead."""
        try:
            written = self._written(call, inputs, keywords, step)
        except TypeError as reason:
            return self.refuse(call.op.path, call.site, str(reason))
        self._count_sightings()
        key = written.key()
        known = self._of_op.setdefault(call.op, [])
        for node in known:  # equal calls of a step have a node each: the program may write into one of the results
            if node.key == key and not node.is_sighted(self.steps):
                return node
        node = _traced(call, written, inputs, keywords)
        known.append(node)
        self._nodes.append(node)
        return node

    def refuse(self, operator: str, site: Site, reason: str) -> UncapturedCall:
        refused = self.refused[operator, site] = UncapturedCall(operator, site, reason)
        return refused

    def changed(self, node: TracedCall) -> str:
        """Returns why the plan does not have a call: the first argument that differs from a call of the same line."""
        for other in self._of_op[node.op]:
            if other is not node and other.site == node.site:
                names = [*map("input {}".format, range(len(node.written.inputs))), *node.written.keywords]
                pairs = zip(names, _all(node.written), _all(other.written), strict=False)
                differing = [name for name, now, before in pairs if now is not before and key_of(now) != key_of(before)]
                return f"{differing[0] if differing else 'an argument'} changed from one step to the next"
        return "it was not made in the steps before"

    def repeats(self, step: LoopStep) -> bool:
        """Ends a step that made the expected calls in order; returns False, with nothing done, where `settle` has to.

        Most steps end like this.
        """
        if not self._settled or self._counted or step.surprised:
            return False
        self._repeats += 1
        self.steps += 1
        self.now = []
        return True

    def settle(self, step: LoopStep) -> bool:
        """Ends a step: decides which calls are made ahead from now on; returns whether a new plan is needed."""
        now, repeats = self.now, self._settled and self.now == self._before and not step.surprised
        self._count_sightings()
        self.now, self._counted = [], 0
        if repeats:
            self.steps += 1
            return False
        self._before, self.expected = now, [node.pattern for node in now]
        planned, adopted = [], set[Node]()
        replaced = {node.site for node in now if node not in self.planned}
        for node in self._nodes:
            if self._is_adopted(node, replaced) and adopted.issuperset(node.needs):
                planned.append(node)
                adopted.add(node)
        self._settled = adopted == set(now)
        changed = planned != self.planned or step.surprised
        self.planned = planned
        self._forget()
        self.steps += 1
        return changed

    @property
    def hesitates(self) -> bool:
        """Whether a call is made ahead only if the next step makes it, too."""
        return any(node.hesitates for node in self._nodes)

    def unsettle(self) -> None:
        """Has the next `settle` decide anew, even if the step made the same calls as the last one."""
        self._settled = False

    def _is_adopted(self, node: TracedCall, replaced: set[Site]) -> bool:
        """Whether a call is made ahead; `replaced` are the lines that have made a call outside of the plan."""
        if node.draw is not None and node.draw.rng in self._forecast.given_up:
            return False
        if node in self.planned:
            return not node.is_idle(self.steps, 1 if node.site in replaced else _PATIENCE)
        return node.times >= (1 if self.steps == 0 and not node.hesitates else 2)

    def _forget(self) -> None:
        """Removes calls that are no longer made: every call would be compared with them."""
        for node in [node for node in self._nodes if node.is_idle(self.steps, _PATIENCE)]:
            self._nodes.remove(node)
            self._of_op[node.op].remove(node)

    def _written(
        self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> WrittenCall:
        """Returns what identifies a call in later steps; raises TypeError, with the reason, if that is not possible."""
        if call.op.acts or (call.policy is not None and call.policy.tells):
            raise TypeError("it does more than make a result")
        expected = [_expected(f"input {k}", value, step) for k, value in enumerate(inputs)]
        named = {name: _expected(name, value, step) for name, value in keywords.items()}
        return WrittenCall(tuple(expected), named, self._draw(call, keywords))

    def _draw(self, call: Invocation, keywords: dict[str, Any]) -> RandomDraw | None:
        if call.op.draw is None:
            return None
        rng = keywords.get("rng") or get_default_rng()
        offset = self._forecast.offset(rng, rng.position.after(-WORDS_PER_CALL))
        if offset is None:
            raise TypeError("its generator is used otherwise in every step")
        return RandomDraw(rng, offset)


def _all(written: WrittenCall) -> list[Expected]:
    return [*written.inputs, *written.keywords.values()]


def _expected(name: str, value: Any, step: LoopStep) -> Expected:
    if isinstance(value, Captured):
        value = unwrap(value)  # values of a step differ in every step, even if marked as invariant
        if value._step is not step:
            raise TypeError(f"{name} comes from another step")
        port: NodePort = value._port
        return port
    if isinstance(value, Value) and value._samples is None:
        raise TypeError(f"{name} is made by a call that is not made ahead")
    try:
        return ConstantArgument(value)
    except TypeError as reason:
        raise TypeError(f"{name} {reason}") from None


def _traced(call: Invocation, written: WrittenCall, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> TracedCall:
    expected = [one for one, value in zip(written.inputs, inputs, strict=True) if value is not None]
    given = [_feed(one, operand) for one, operand in zip(expected, call.inputs, strict=True)]
    tensors = {name: _feed(written.keywords[name], operand) for name, operand in call.tensors.items()}
    hesitates = any(_is_large(value) for value in (*inputs, *keywords.values()))
    return TracedCall(call, written, given, tensors, hesitates)


def _feed(expected: Expected, operand: Operand) -> Feed:
    """Returns the input of a node: a port, or constant samples, copied where the program may write to their memory."""
    if isinstance(expected, Port):
        return expected
    samples: Samples = operand if isinstance(operand, Samples) else operand.node.result(operand.index)
    return samples.copied() if samples.external else samples


def _is_large(value: Any) -> bool:
    """Whether a value is a tensor of more than a few numbers, which the program may have made for this step alone."""
    return isinstance(value, Value) and not isinstance(value, Captured) and value._resolve().nbytes > 64
