"""`ndd.capture.invariant`: a value under a mark, which is used as the value would be."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, check_compiled
from penstock.dynamic.invariant import is_invariant, unwrap

invariant = ndd.capture.invariant


@pytest.mark.parametrize("value", [3, 2.5, True, None, "HWC", [1, 2], (1, 2), {"a": 1}, np.arange(3)], ids=repr)
def test_a_marked_value_is_an_instance_of_the_same(value):
    marked = invariant(value)
    assert isinstance(marked, type(value))
    assert type(marked) is not type(value)
    assert repr(marked) == repr(value)
    assert bool(np.all(marked == value))
    assert invariant(marked) is marked
    assert is_invariant(marked)
    assert not is_invariant(value)
    assert unwrap(marked) is value


def test_what_is_made_of_it_is_not_marked_but_its_attributes_are():
    class Options:
        size = (3, 3)

        def area(self) -> int:
            return self.size[0] * self.size[1]

    options = invariant(Options())
    assert is_invariant(options.size)
    assert options.area() == 9
    assert type(invariant(3) + 1) is int
    assert 1 + invariant(3) == 4
    assert type(invariant([1, 2])[0]) is int
    assert [*invariant([1, 2])] == [1, 2]
    options.size = (2, 2)
    assert options.area() == 4
    assert pickle.loads(pickle.dumps(invariant([1]))) == [1]
    assert type(copy.copy(invariant([1]))) is list
    assert invariant(lambda x: x + 1)(2) == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(invariant([1]))
    assert hash(invariant(3)) == 3


def test_marked_arguments_serve_everywhere():
    size = invariant([2, 2])
    picture = ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC")
    assert ndd.resize(picture, size=size).shape == (2, 2, 3)
    assert np.asarray(ndd.as_tensor(invariant(np.arange(3)))).tolist() == [0, 1, 2]
    check_compiled(lambda pictures, numbers, step: [ndd.resize(pictures, size=size), numbers + invariant(2)])


def test_a_marked_array_is_not_compared_however_large_it_is():
    table = invariant(np.arange(70_000, dtype=np.int32))
    for _, numbers in Pictures().next_epoch(batch_size=3, compile=True):
        ndd.cat(table, ndd.reshape(numbers, shape=[1])).evaluate()
    assert [entry.operator for entry in ndd.capture.report().captured] == ["reshape", "cat"]
