"""`ndd.capture.invariant`: a value under a mark, which is used as the value would be."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures, check_compiled
from penstock import types
from penstock.capture.constant_argument import ConstantArgument
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


class Holder:
    size = (3, 3)

    def itself(self) -> Holder:
        return self

    def sizes(self) -> tuple[int, ...]:
        return self.size

    def given(self, value: object) -> object:
        return value

    def __call__(self, value: object) -> object:
        return value


def test_methods_see_a_marked_self_and_hand_their_arguments_on():
    holder, value = invariant(Holder()), invariant(object())
    assert holder.itself() is holder
    assert is_invariant(holder.sizes())
    assert holder.given(value) is value
    assert holder(value) is value
    assert invariant(lambda x: x)(value) is value
    assert not is_invariant(holder.given(3))


def test_a_class_can_be_marked():
    marked = invariant(int)
    assert marked == int  # noqa: E721
    assert int == marked  # noqa: E721
    assert marked != float  # noqa: E721
    assert hash(marked) == hash(int)
    assert isinstance(3, marked)
    assert marked("3") == 3
    assert repr(marked) == "<class 'int'>"
    assert is_invariant(invariant(Holder).size)
    assert invariant(Holder)().itself().size == (3, 3)
    assert invariant(types.FLOAT).name == "FLOAT"


def test_members_of_enumerations_are_compared_from_either_side():
    assert types.FLOAT == invariant(types.FLOAT)  # noqa: SIM300
    assert types.FLOAT != invariant(types.UINT8)  # noqa: SIM300
    assert types.FLOAT != invariant(types.INTERP_LINEAR)  # noqa: SIM300
    assert ndd.float32 == invariant(ndd.float32)


def test_tensors_are_made_of_marked_values():
    made = ndd.tensor(invariant([[1]]), dtype=invariant(ndd.float32), layout=invariant("HW"), device=invariant("cpu"))
    assert (made.dtype, made.layout, made.item()) == (ndd.float32, "HW", 1.0)
    assert ndd.as_batch(invariant(np.zeros((2, 3))), layout=invariant("X")).shape == [(3,), (3,)]
    assert [sample.item() for sample in ndd.batch([invariant(1), invariant(2.5)])] == [1, 2]
    samples = ndd.batch([1, 2])
    assert ndd.as_batch(invariant(samples)).shape == samples.shape


def test_marked_arguments_serve_everywhere():
    size = invariant([2, 2])
    picture = ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC")
    assert ndd.resize(picture, size=size).shape == (2, 2, 3)
    assert np.asarray(ndd.as_tensor(invariant(np.arange(3)))).tolist() == [0, 1, 2]
    check_compiled(lambda pictures, numbers, step: [ndd.resize(pictures, size=size), numbers + invariant(2)])


def test_marked_tensors_serve_operators():
    one, two = invariant(ndd.tensor([1])), invariant(ndd.batch([1, 2]))
    for made in (ndd.cast(one, dtype=ndd.float32), ndd.math.sqrt(one), one + 0.0, ndd.tensor([0.0]) + one):
        assert (made.dtype, made.item()) == (ndd.float32, 1.0)
    assert [sample.item() for sample in ndd.cast(two, dtype=ndd.float32)] == [1.0, 2.0]
    assert ndd.tensor([5, 6])[invariant(ndd.tensor(1))].item() == 6


def test_a_mark_on_what_a_step_gives_does_not_keep_it_from_changing():
    check_compiled(lambda pictures, numbers, step: [ndd.flip(invariant(pictures)), invariant(numbers) + 1])


@pytest.mark.parametrize("made", [lambda: invariant(Holder()), lambda: [invariant(Holder())], lambda: [lambda: 1]])
def test_a_new_object_in_the_place_of_one_that_is_gone_is_another(made):
    constant = ConstantArgument(made())
    assert not any(constant.equals(made()) for _ in range(20))


def test_a_marked_array_is_not_compared_however_large_it_is():
    table = invariant(np.arange(70_000, dtype=np.int32))
    for _, numbers in Pictures().next_epoch(batch_size=3, compile=True):
        ndd.cat(table, ndd.reshape(numbers, shape=[1])).evaluate()
    assert [entry.operator for entry in ndd.capture.report().captured] == ["reshape", "cat"]
