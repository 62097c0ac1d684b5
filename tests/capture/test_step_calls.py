"""Calls of a loop's body beside those that were made ahead: which are the same, and what is left of them."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import CallPattern, StepCalls
from penstock.capture.values import CapturedBatch


def made_ahead(arguments: list[dict[str, Any]]) -> list[bool]:
    """For each step of a loop that makes one call, with these arguments, whether it got a result made ahead."""
    batch = ndd.as_batch(np.arange(12, dtype=np.float32).reshape(3, 4), layout="A")
    found, left = [], iter(arguments)
    for given in ndd.ExternalSource(lambda: batch).captured(3):
        made = ndd.pad(given, **next(left))
        assert isinstance(made, CapturedBatch)
        found.append(any(call is made._call for call in (made._step.results or {}).values()))
        made.evaluate()
        if len(found) == len(arguments):
            return found
    raise AssertionError("the source ended")


@pytest.mark.parametrize("value", [2.0, 7])
def test_equal_numbers_are_the_same_argument(value: float) -> None:
    again = [{"fill_value": type(value)(str(value)), "axes": [0], "shape": [6]} for _ in range(4)]
    assert made_ahead(again) == [False, True, True, True]


@pytest.mark.parametrize(
    "other", [{"axes": (0,)}, {"axes": [False]}, {"axes": [-1]}, {"shape": [7]}, {"align": [1]}, {"fill_value": -0.0}]
)
def test_others_are_not_and_those_of_another_type_neither(other: dict[str, Any]) -> None:
    arguments = {"fill_value": 0.0, "axes": [0], "shape": [6]}
    assert made_ahead([arguments, dict(arguments), arguments | other])[1:] == [True, False]


def test_a_list_that_the_program_has_changed_is_another_argument() -> None:
    shape = [6]
    found = []
    batch = ndd.as_batch(np.arange(12, dtype=np.float32).reshape(3, 4), layout="A")
    for step, given in enumerate(ndd.ExternalSource(lambda: batch).captured(3)):
        if step == 3:
            shape[0] = 8
        found.append(ndd.pad(given, axes=[0], shape=shape).evaluate().shape[0])
        if step == 5:
            break
    assert found == [(6,)] * 3 + [(8,)] * 3


def test_calls_in_another_order_are_found() -> None:
    batch = ndd.as_batch(np.arange(12, dtype=np.float32).reshape(3, 4), layout="A")
    calls = [lambda given: given + 1, lambda given: given * 2]
    for step, given in enumerate(ndd.ExternalSource(lambda: batch).captured(3)):
        made = [call(given) for call in (calls if step % 2 else calls[::-1])]
        assert all(isinstance(each, CapturedBatch) and each._call is not None for each in made)
        assert step == 0 or all(each._call.done for each in made)
        total = sum(np.asarray(each.tensors[0])[1] for each in made)
        assert total == 4
        if step == 6:
            break


def test_the_end_of_a_step_tells_whether_its_calls_were_expected() -> None:
    calls, made = StepCalls(), list[Any]()
    op, other = object(), object()
    first, second = (CallPattern(node, op, [], {}, False, CapturedBatch, 1, (None,), ()) for node in ("a", "b"))

    def ended_after(*ops: object, noted: Sequence[str] = ()) -> bool:
        made.clear()
        calls.begin(object(), [first, second], made, frozenset({"a", "b"}), {})
        for each in ops:
            calls.next(each, (), {})
        made.extend(noted)
        return calls.end()

    assert ended_after(op, op)
    assert made == ["a", "b"]
    assert not ended_after(op)
    assert not ended_after(op, other)
    assert not ended_after(op, op, noted=["c"])
    assert not ended_after(op, noted=["b"])
    assert not calls.end()


def test_loops_that_are_gone_leave_no_calls() -> None:
    """Nodes, their ports and what they are compared with refer to one another."""

    def patterns_left() -> int:
        batch = ndd.as_batch(np.zeros((3, 4), np.float32), layout="A")
        for step, given in enumerate(ndd.ExternalSource(lambda: batch).captured(3)):
            ndd.pad(given + 1, axes=[0], shape=[6]).evaluate()
            if step == 3:
                break
        gc.collect()
        return sum(type(each) is CallPattern for each in gc.get_objects())

    first = patterns_left()  # those of the last loop stay for ndd.capture.report()
    assert [patterns_left(), patterns_left()] == [first, first]
    assert first > 0
