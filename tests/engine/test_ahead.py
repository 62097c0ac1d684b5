"""The thread that keeps a few things ready."""

import itertools

import pytest

from penstock.engine.ahead import Ahead


def test_things_are_made_in_order_and_the_rest_is_handed_over():
    count = itertools.count()
    ahead = Ahead(lambda: next(count), 2, "penstock-test")
    assert [ahead.take(), ahead.take(), ahead.take_last()] == [0, 1, 2]
    assert ahead.stop() in ([], [3])
    assert not ahead.alive


def test_what_making_raises_reaches_whoever_waits_for_it():
    made = iter([1, KeyError("lost"), 3])

    def make() -> int:
        value = next(made)
        if isinstance(value, Exception):
            raise value
        return value

    ahead = Ahead(make, 1, "penstock-test")
    assert ahead.take() == 1
    with pytest.raises(KeyError, match="lost"):
        ahead.take_last()
    ahead.request()
    assert ahead.take_last() == 3
    assert ahead.stop() == []
