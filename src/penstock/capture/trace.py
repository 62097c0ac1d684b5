"""What a loop does in its steps: the calls it makes, which of them may be made ahead, and why others may not."""

from __future__ import annotations

from typing import Any

from penstock._native import Samples
from penstock.capture.constant_argument import ConstantArgument
from penstock.capture.loop_plan import Refusal
from penstock.capture.loop_step import LoopStep
from penstock.capture.rng_forecast import RngForecast
from penstock.capture.traced_call import Expected, RandomDraw, TracedCall, WrittenCall, key_of
from penstock.capture.values import Captured
from penstock.dynamic.invariant import unwrap
from penstock.dynamic.value import Value
from penstock.engine.graph.node import Feed, Node, NodePort, Port
from penstock.engine.invocation import Invocation, Operand
from penstock.engine.rng import WORDS_PER_CALL, get_default_rng
from penstock.engine.site import Site
from penstock.schema.operator import Operator

# So many steps without it, and a call is no longer made ahead.
_PATIENCE = 3
# A step of more calls is none: its loop was left by an exception and is still held by the traceback.
_MOST_CALLS = 10_000


class Trace:
    """The calls of a loop, by what they were written with."""

    def __init__(self, forecast: RngForecast, before: Trace | None = None) -> None:
        self.steps = 0  # that are over
        self.planned: list[TracedCall] = []
        self.refused: dict[tuple[str, Site], Refusal] = {} if before is None else before.refused
        self._forecast = forecast
        self._nodes: list[TracedCall] = []  # in the order in which they were first made
        self._of_op: dict[Operator, list[TracedCall]] = {}
        self._before: list[TracedCall] = []  # the calls of the last step: the next one will most likely go the same way
        self._now: list[TracedCall] = []
        self._counted = 0  # so many of these know that they were made
        self._repeats = 0  # steps like the one before them, of which the calls do not know yet
        self._settled = False

    def followed(
        self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> TracedCall | None:
        """The node of a call that is part of the step and written as one before: the loop has made it now."""
        now = self._now
        try:
            node: TracedCall | None = self._before[len(now)]
        except IndexError:
            node = None
        if node is None or node.op is not op or not node.is_written_so(inputs, keywords, step):
            node = self._found(op, inputs, keywords, step)
        if node is None or node not in step.known:
            return None
        now.append(node)
        return node

    def _found(
        self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> TracedCall | None:
        self._count_sightings()
        for node in () if self.is_full else self._of_op.get(op, ()):
            if not node.is_sighted(self.steps) and node.is_written_so(inputs, keywords, step):
                return node
        return None

    @property
    def is_full(self) -> bool:
        return len(self._now) >= _MOST_CALLS

    def sighted(self, node: TracedCall) -> None:
        self._now.append(node)

    def _count_sightings(self) -> None:
        """Tells calls in which steps they were made. Steps that go like the last one leave that for later."""
        if self._repeats:
            for node in self._before:
                node.repeated(self._repeats)
            self._repeats = 0
        for node in self._now[self._counted :]:
            node.sighted(self.steps)
        self._counted = len(self._now)

    def node_of(
        self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> TracedCall | Refusal:
        """The node of a call that is being made, or why it cannot be made ahead."""
        try:
            written = self._written(call, inputs, keywords, step)
        except TypeError as reason:
            return self.refuse(call.op.path, call.site, str(reason))
        self._count_sightings()
        key = written.key()
        known = self._of_op.setdefault(call.op, [])
        for node in known:  # a call that the step makes twice is two calls: the program may write to both results
            if node.key == key and not node.is_sighted(self.steps):
                return node
        node = _traced(call, written, inputs, keywords)
        known.append(node)
        self._nodes.append(node)
        return node

    def refuse(self, operator: str, site: Site, reason: str) -> Refusal:
        refused = self.refused[operator, site] = Refusal(operator, site, reason)
        return refused

    def changed(self, node: TracedCall) -> str:
        """Why a call was not foreseen: which of its arguments is not what it was at that place."""
        for other in self._of_op[node.op]:
            if other is not node and other.site == node.site:
                names = [*map("input {}".format, range(len(node.written.inputs))), *node.written.keywords]
                pairs = zip(names, _all(node.written), _all(other.written), strict=False)
                differing = [name for name, now, before in pairs if now is not before and key_of(now) != key_of(before)]
                return f"{differing[0] if differing else 'an argument'} changed from one step to the next"
        return "it was not made in the steps before"

    def settle(self, step: LoopStep) -> bool:
        """At the end of a step: whether the calls to make ahead are others now."""
        now, repeats = self._now, self._settled and self._now == self._before and not step.surprised
        if repeats and not self._counted:
            self._repeats += 1
        else:
            self._count_sightings()
        self._now, self._counted = [], 0
        if repeats:
            self.steps += 1
            return False
        self._before = now
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

    def unsettle(self) -> None:
        """The next step is looked at closely, whether it goes like the last or not."""
        self._settled = False

    def _is_adopted(self, node: TracedCall, replaced: set[Site]) -> bool:
        if node.written.draw is not None and node.written.draw.rng in self._forecast.given_up:
            return False
        if node in self.planned:
            return not node.is_idle(self.steps, 1 if node.site in replaced else _PATIENCE)
        return node.times >= (1 if self.steps == 0 and not node.hesitates else 2)

    def _forget(self) -> None:
        """Calls that are not made any more would only be compared with those that are."""
        for node in [node for node in self._nodes if node.is_idle(self.steps, _PATIENCE)]:
            self._nodes.remove(node)
            self._of_op[node.op].remove(node)

    def _written(
        self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep
    ) -> WrittenCall:
        """The call as it can be recognised. TypeError, which says why, where it cannot."""
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
        value = unwrap(value)  # what a step gives is another one in each, whatever its mark says
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
    """Constants in memory that the program may write to are kept as they are now."""
    if isinstance(expected, Port):
        return expected
    samples: Samples = operand if isinstance(operand, Samples) else operand.node.result(operand.index)
    return samples.copied() if samples.external else samples


def _is_large(value: Any) -> bool:
    """Whether a value is more than a number, so that it may well have been made for this step alone."""
    return isinstance(value, Value) and not isinstance(value, Captured) and value._resolve().nbytes > 64
