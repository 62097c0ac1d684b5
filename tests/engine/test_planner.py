"""Chains: which calls are carried out together, and that it shows in nothing but time."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.engine.planner import pending, plan


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
    told = [str(caught.value), *getattr(caught.value, "__notes__", [])]
    assert "in broken, sample 1" in "\n".join(told)
