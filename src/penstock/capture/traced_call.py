"""A call of a traced loop, and the comparison that recognises it in later steps."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from penstock._native import CallPattern
from penstock.capture.constant_argument import ConstantArgument
from penstock.capture.rng_forecast import Positions
from penstock.capture.values import CapturedBatch, CapturedTensor
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
        "_last",
        "draw",
        "hesitates",
        "key",
        "needs",
        "pattern",
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
        self.key = written.key()
        self.hesitates = hesitates
        self.needs = {feed.node for feed in self.feeds() if isinstance(feed, Port) and feed.node is not None}
        self.wanted = False
        self.times = 0
        self._last = -2
        kind = CapturedTensor if call.batch_size is None else CapturedBatch
        expected, draws = ([*written.inputs], written.keywords), written.draw is not None
        self.pattern = CallPattern(self, self.op, *expected, draws, kind, self.batch_size, self.specs, self.ports)

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
        return self.pattern.matches(inputs, keywords, step) and self._is_at_draw(keywords, step)

    def _is_at_draw(self, keywords: dict[str, Any], step: LoopStep) -> bool:
        draw = self.draw
        return draw is None or (keywords.get("rng") or get_default_rng()).position == step.position_at(draw)

    def pass_draw(self, keywords: dict[str, Any], step: LoopStep) -> bool:
        """Moves the generator as if the call had drawn, so that those after it draw what they would in a plain loop.

        Returns False where the generator is not at the position that the call was made ahead with.
        """
        if not self._is_at_draw(keywords, step):
            return False
        if self.draw is not None:
            self.draw.rng.skip_words()
        return True


def key_of(expected: Expected) -> Any:
    return ("port", id(expected)) if isinstance(expected, Port) else ("value", expected.key)
