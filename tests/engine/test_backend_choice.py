"""choose(): one ladder for the executor, the planner and explain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.operators import doubled, inverted
from messages import told as message
from penstock.engine import events
from penstock.engine.backends import choice
from penstock.engine.backends.backend import Backend, Task, Words
from penstock.engine.backends.choice import LADDER, PLAIN, choose, is_chainable
from penstock.engine.backends.plain import Plain
from penstock.engine.invocation import Invocation, ready
from penstock.engine.pending import pending
from penstock.engine.planner import plan
from penstock.values.spec import UNKNOWN


@ndd.operator(elementwise=True)
def refused(image):
    if image.max() > 9:
        raise ValueError("too large")
    return image


@ndd.operator(batchwise=True)
def reversed_batch(images):
    return images[::-1]


MAKE: dict[str, Any] = {
    "native": ndd.flip,
    "storage": lambda images: ndd.reshape(images, shape=[-1]),
    "batchwise": reversed_batch,
    "stacked": doubled,
    "plain": inverted,
}


def photos(*, alike: bool = True) -> ndd.Batch:
    shapes = [(4, 6, 3), (4, 6, 3) if alike else (5, 2, 3)]
    return ndd.batch([np.arange(np.prod(shape), dtype=np.uint8).reshape(shape) for shape in shapes], layout="HWC")


def calls_of(value: ndd.Batch) -> list[Invocation]:
    return pending(value._call)


def ran(value: ndd.Batch) -> list[str]:
    heard: list[events.StageRun] = []
    with events.listening(heard.append):
        value.evaluate()
    return [each.way for event in heard for each in event.passes]


def told(value: ndd.Batch) -> list[str]:
    return [each.way for stage in ndd.explain(value).stages for each in stage.passes]


@pytest.fixture(autouse=True)
def deferred():
    with ndd.EvalMode.deferred:
        yield


def test_the_order_of_the_ladder() -> None:
    assert [backend.way for backend in LADDER] == ["gpu", "native", "storage", "batchwise", "stacked", "plain"]
    assert LADDER[-1] is PLAIN


@pytest.mark.parametrize("way", MAKE)
def test_executor_and_explain_make_the_same_choice(way: str) -> None:
    value = MAKE[way](photos())
    [call] = calls_of(value)
    chosen = choose(Task([call], 0, [ready(operand) for operand in call.inputs], call.context.pool))
    assert chosen is not None
    assert (chosen[0].way, chosen[1]) == (way, 1)
    assert told(value) == [way]
    assert ran(value) == [way]


def test_samples_of_several_shapes_are_not_stacked() -> None:
    value = doubled(photos(alike=False))
    assert told(value) == ["plain"]
    assert ran(value) == ["plain"]


def test_many_tiny_samples_are_stacked_before_they_are_native_steps() -> None:
    """A few of them are one native step."""
    few, many = photos(), ndd.batch([np.zeros((8, 8, 3), np.uint8)] * 1000, layout="HWC")
    large = ndd.batch([np.zeros((64, 64, 3), np.uint8)] * 8, layout="HWC")
    assert ran(few + 1) == ["native"]
    with ndd.EvalContext(num_threads=2):
        assert ran(many + 1) == ["stacked"]
        assert ran(large + 1) == ["native"]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (ndd.flip, "native"),
        (doubled, "open"),
        (lambda value: value + 1, "open"),
        (reversed_batch, "batchwise"),
        (lambda value: ndd.reshape(value, shape=[-1]), "storage"),
    ],
)
def test_what_only_data_decide_is_open(make: Any, expected: str) -> None:
    """The input is a result that another stage makes, so that its spec is all there is."""
    held = ndd.resize(photos(), size=[3, 5])
    value = make(held)
    assert told(value)[-1] == expected
    held.evaluate()
    assert told(value)[-1] == ran(value)[-1]


def test_an_argument_that_does_not_exist_yet_leaves_a_call_open() -> None:
    coins = ndd.random.coin_flip(batch_size=2)
    value = ndd.flip(photos(), horizontal=coins)
    assert told(value)[-1] == "open"
    coins.evaluate()
    assert told(value) == ran(value) == ["native"]


def test_an_input_nothing_is_known_of_leaves_native_open_and_batchwise_decided() -> None:
    held = inverted(photos())
    assert held._call.specs == (UNKNOWN,)
    assert told(ndd.flip(held)) == ["plain", "open"]
    assert told(reversed_batch(held)) == ["plain", "batchwise"]


@pytest.mark.parametrize(("way", "chainable"), [(way, way in ("native", "storage", "plain")) for way in MAKE])
def test_what_the_planner_joins(way: str, chainable: bool) -> None:
    """reshape has a native step beside its function of the storage: in a chain it is that."""
    value = inverted(MAKE[way](photos()))
    calls = calls_of(value)
    assert is_chainable(calls[0]) is chainable
    assert len(plan(calls)) == (1 if chainable else 2)


def test_a_call_of_several_results_is_no_link_of_a_chain() -> None:
    call = ndd.random_bbox_crop(ndd.batch([np.zeros((1, 4), np.float32)]))[0]._call
    assert len(call.specs) > 1
    assert not is_chainable(call)


def test_an_error_of_the_whole_stack_is_told_of_the_sample() -> None:
    images = ndd.batch(np.stack([np.zeros((2, 2)), np.full((2, 2), 10)]).astype(np.uint8))
    with pytest.raises(ValueError, match="too large") as caught:
        refused(images).evaluate()
    assert "sample 1" in message(caught.value)


class _Accelerator:
    """A backend as another file would hold it."""

    way = "torch"
    words = Words("torch on the whole batch", "torch, whole batch")
    takes_chains = False
    names_samples = True

    def __init__(self) -> None:
        self.ran = 0

    def serves(self, call: Invocation) -> bool:
        return call.op.name == "inverted"

    def accepts(self, task: Task) -> int:
        return int(self.serves(task.call))

    def run(self, task: Task, count: int) -> Any:
        self.ran += 1
        return PLAIN.run(task, count)


def test_a_backend_more_needs_nothing_but_its_place_in_the_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    accelerator = _Accelerator()
    kernels: tuple[Backend, ...] = (accelerator, *LADDER[:-1])
    monkeypatch.setattr(choice, "LADDER", (*kernels, Plain(kernels)))
    value = inverted(ndd.flip(photos()))
    assert told(value) == ["native", "torch"]
    assert len(plan(calls_of(value))) == 2
    expected = [255 - np.asarray(tensor) for tensor in ndd.flip(photos()).tensors]
    assert ran(value) == ["native", "torch"]
    assert accelerator.ran == 1
    assert all(np.array_equal(np.asarray(tensor), array) for tensor, array in zip(value.tensors, expected, strict=True))
