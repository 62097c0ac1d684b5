"""Chains: which calls are carried out together, and that it shows in nothing but time."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock.engine import events
from penstock.engine.pending import pending
from penstock.engine.planner import plan


@pytest.fixture
def images():
    return ndd.batch(np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4, 1), layout="HWC")


def stages(value):
    return [[call.op.name for call in stage] for stage in plan(pending(value._call))]


def test_a_chain_nobody_looks_into_is_one_stage(images):
    with ndd.EvalMode.deferred:
        result = ndd.flip(ndd.flip(ndd.flip(images)))
    assert stages(result) == [["flip", "flip", "flip"]]


def test_an_intermediate_the_user_holds_is_kept(images):
    with ndd.EvalMode.deferred:
        held = ndd.flip(images)
        result = ndd.flip(ndd.flip(held))
    assert stages(result) == [["flip"], ["flip", "flip"]]
    assert np.array_equal(np.asarray(held.tensors[1]), np.asarray(result.tensors[1]))


def test_a_result_with_two_readers_is_made_once(images):
    with ndd.EvalMode.deferred:
        shared = ndd.flip(images)
        left, right = ndd.flip(shared), ndd.flip(shared)
        del shared
    assert stages(left) == [["flip"], ["flip"]]
    assert np.array_equal(np.asarray(left.tensors[0]), np.asarray(right.tensors[0]))


def test_what_several_calls_wait_for_comes_once_and_before_them(images):
    with ndd.EvalMode.deferred:
        shared = ndd.flip(images)
        left, right = ndd.flip(shared), ndd.flip(shared)
    calls = [value._call for value in (shared, left, right)]
    assert pending(*calls[1:], calls[0]) == calls
    shared.evaluate()
    assert pending(*calls) == calls[1:]
    right.evaluate()
    assert pending(*calls) == calls[1:2]


def test_arguments_of_a_chain_come_before_it(images):
    @ndd.operator
    def choose(x):
        return x % 2

    with ndd.EvalMode.deferred:
        picks = ndd.batch([1, 2])
        result = ndd.flip(ndd.flip(images), horizontal=choose(picks))
    assert stages(result) == [["choose"], ["flip", "flip"]]
    expected = [np.asarray(images.tensors[0]), np.asarray(images.tensors[1])[:, ::-1]]
    assert all(np.array_equal(np.asarray(a), b) for a, b in zip(result, expected, strict=True))


def test_eager_calls_queued_together_are_planned_together(images):
    context = ndd.EvalContext.current()
    with context._lock:
        result = ndd.flip(ndd.flip(images))
        assert stages(result) == [["flip", "flip"]]
    assert np.array_equal(np.asarray(result.tensors[0]), np.asarray(images.tensors[0]))


def test_a_sample_goes_through_a_chain_of_plain_functions_before_the_next():
    order = []

    @ndd.operator
    def first(x):
        order.append(("first", int(x)))
        return x + 1

    @ndd.operator
    def second(x, *, by: ndd.PerSample[int] = 2):
        order.append(("second", int(x)))
        return x * by

    with ndd.EvalMode.deferred:
        result = second(first(ndd.batch([1, 10])), by=ndd.batch([3, 4]))
    assert [int(np.asarray(t)) for t in result] == [6, 44]
    assert order == [("first", 1), ("second", 2), ("first", 10), ("second", 11)]


def test_a_failure_inside_a_chain_names_the_link_and_the_sample():
    @ndd.operator
    def fine(x):
        return x

    @ndd.operator
    def broken(x):
        return 1 // int(x)

    with ndd.EvalMode.deferred:
        result = fine(broken(fine(ndd.batch([1, 0]))))
    with pytest.raises(ZeroDivisionError) as caught:
        result.evaluate()
    assert "in broken, sample 1" in told(caught.value)


def ran(value):
    """The operators that run when a value is asked for."""
    heard = []
    with events.listening(lambda event: heard.append(event.operators)):
        value.evaluate()
    return sorted(name for operators in heard for name in operators)


def test_equal_calls_are_made_once(images):
    with ndd.EvalMode.deferred:
        left = ndd.brightness(ndd.flip(images), brightness=0.5)
        result = left + ndd.brightness(ndd.flip(images), brightness=0.5)
        del left
        other = ndd.brightness(ndd.flip(images), brightness=2.0) + ndd.brightness(ndd.flip(images), brightness=0.5)
    assert ran(result) == ["_arithmetic.add", "brightness", "flip"]
    assert ran(other) == ["_arithmetic.add", "brightness", "brightness", "flip"]
    expected = np.asarray(ndd.as_tensor(ndd.brightness(ndd.flip(images), brightness=0.5))).astype(int)
    assert np.array_equal(np.asarray(ndd.as_tensor(result)), (expected * 2).astype(np.uint8))


def test_random_calls_and_users_operators_are_never_taken_for_one():
    @ndd.operator
    def own(x):
        return x

    with ndd.EvalMode.deferred:
        drawn = ndd.random.uniform(range=[0, 1], batch_size=2) + ndd.random.uniform(range=[0, 1], batch_size=2)
        twice = own(ndd.batch([1, 2])) + own(ndd.batch([1, 2]))
    assert ran(drawn) == ["_arithmetic.add", "random.uniform", "random.uniform"]
    assert ran(twice) == ["_arithmetic.add", "own", "own"]


def test_results_that_the_program_holds_are_its_own(images):
    with ndd.EvalMode.deferred:
        one, other = ndd.flip(images), ndd.flip(images)
        total = one + other
    total.evaluate()
    np.asarray(one.tensors[0])[:] = 0
    assert np.asarray(other.tensors[0]).any()


def test_calls_nobody_asks_for_are_not_made(images):
    context = ndd.EvalContext.current()
    heard = []
    with events.listening(lambda event: heard.append(event.operators)):
        with context._lock:
            ndd.gaussian_blur(ndd.flip(images), window_size=3)
            kept = ndd.flip(images)
        kept.evaluate()
        context.evaluate_all()
    assert heard == [("flip",)]
