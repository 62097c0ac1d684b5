"""A call of a traced loop, and the comparison that recognises it in later steps."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock.capture.constant_argument import ConstantArgument
from penstock.capture.rng_forecast import Positions
from penstock.engine.graph.node import Feed, Node, NodePort, Port
from penstock.engine.invocation import Invocation
from penstock.engine.rng import RNG, get_default_rng

if TYPE_CHECKING:
    from penstock.capture.loop_step import LoopStep

Expected = NodePort | ConstantArgument


class RandomDraw(NamedTuple):
    """The words of a random call: those of a generator, `offset` words past its position as the step began."""

    rng: RNG
    offset: int

    def words(self, position: Positions) -> tuple[int, ...]:
        return position[self.rng].after(self.offset).words()


class WrittenCall(NamedTuple):
    """What identifies a call of an operator: its inputs and arguments as the program gave them, and its random draw."""

    inputs: tuple[Expected, ...]
    keywords: dict[str, Expected]
    draw: RandomDraw | None

    def key(self) -> Hashable:
        keywords = sorted((name, key_of(value)) for name, value in self.keywords.items())
        return (*map(key_of, self.inputs), "", *keywords, self.draw and (id(self.draw.rng), self.draw.offset))


class TracedCall(Node):
    """A call of a loop as a node of its graph, made in `times` consecutive steps so far.

    It is `wanted` once the program has asked for its result itself, not only passed it on to other calls: results that
    are not wanted need not be stored. A call that `hesitates` has a constant tensor as argument, which may well be
    another one in the next step, so it is made ahead only after two steps in a row have made it.
    """

    __slots__ = (
        "_input_count",
        "_keyword_count",
        "_last",
        "draw",
        "hesitates",
        "is_single",
        "key",
        "needs",
        "times",
        "wanted",
        "written",
    )  # fmt: skip

    def __init__(
        self,
        call: Invocation,
        written: WrittenCall,
        inputs: Sequence[Feed],
        tensors: Mapping[str, Feed],
        hesitates: bool,
    ) -> None:
        super().__init__(call, inputs, tensors)
        self.written = written
        self.draw = written.draw
        self._input_count = len(written.inputs)
        self._keyword_count = len(written.keywords)
        self.is_single = len(self.ports) == 1
        self.key = written.key()
        self.hesitates = hesitates
        self.needs = {feed.node for feed in self.feeds() if isinstance(feed, Port) and feed.node is not None}
        self.wanted = False
        self.times = 0
        self._last = -2

    def sighted(self, step: int) -> None:
        """Notes that the loop has made this call in that step."""
        last = self._last
        if step != last:
            self.times = self.times + 1 if step == last + 1 else 1
            self._last = step

    def repeated(self, steps: int) -> None:
        """The loop has made this call in so many more steps in a row."""
        self.times += steps
        self._last += steps

    def is_sighted(self, step: int) -> bool:
        return step == self._last

    def is_idle(self, step: int, patience: int) -> bool:
        """Whether the last `patience` steps up to that one were without the call."""
        return step - self._last >= patience

    def is_written_so(self, inputs: tuple[Any, ...], keywords: dict[str, Any], step: LoopStep) -> bool:
        """Whether a call of the operator in a step is this one: equal inputs, arguments and random position."""
        if len(inputs) != self._input_count or len(keywords) != self._keyword_count:
            return False
        try:
            for expected, value in zip(self.written.inputs, inputs):  # noqa: B905 - as many, seen above
                if type(expected) is Port:
                    if value._port is not expected or value._step is not step:
                        return False
                elif value is not expected.itself and not expected.equals(value):  # type: ignore[union-attr]
                    return False
            if keywords:
                keywords_before = self.written.keywords
                for name, value in keywords.items():
                    before = keywords_before[name]
                    if type(before) is ConstantArgument:
                        if value is not before.itself and not before.equals(value):
                            return False
                    elif value._port is not before or value._step is not step:
                        return False
        except (AttributeError, KeyError):  # a value that is no result of the loop, or another argument
            return False
        draw = self.draw
        return draw is None or (keywords.get("rng") or get_default_rng()).position == step.position(draw)


def key_of(expected: Expected) -> Any:
    return ("port", id(expected)) if isinstance(expected, Port) else ("value", expected.key)
