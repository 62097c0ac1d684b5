"""The storage of batches: dense where shapes agree, labels kept through every change of form."""

import numpy as np
import pytest

from penstock._native import Samples, number_all
from penstock.values.dtypes import InterpType, float32, int32, uint8
from penstock.values.samples import converted, from_arrays, in_one_block, packed, separate
from penstock.values.spec import Spec


def ragged():
    samples = Samples.gather([np.array([1, 2, 3], np.int32), np.array([4], np.int32)])
    samples.layout = "W"
    samples.sources = ["a", "b"]
    return samples


def test_equal_shapes_share_a_block():
    assert from_arrays([np.zeros((2, 2)), np.ones((2, 2))]).dense
    assert not from_arrays([np.zeros(2), np.zeros(3)]).dense
    assert packed([np.zeros(2, np.uint8)] * 3, uint8.code).array().shape == (3, 2)


def test_samples_that_agree_in_type_rank_and_layout_have_the_same_spec():
    samples = ragged()
    assert samples.spec == Spec(int32, 1, "W")
    assert samples.spec is ragged().spec
    assert converted(samples, InterpType).spec == Spec(InterpType, 1, "W")
    samples.layout = ""
    assert samples.spec == Spec(int32, 1, "")


def test_there_may_be_any_number_of_layouts():
    samples = ragged()
    for letter in map(chr, range(0x100, 0x300)):
        samples.layout = letter
        assert samples.spec == Spec(int32, 1, letter)


def test_a_copy_has_memory_of_its_own_and_the_same_labels():
    original = ragged()
    copy = original.copied()
    copy.sample(0)[0] = 9
    assert original.sample(0).tolist() == [1, 2, 3]
    assert (copy.layout, copy.sources, copy.shapes()) == ("W", ["a", "b"], [(3,), (1,)])


def test_conversion_keeps_the_labels():
    made = converted(ragged(), float32)
    assert (made.code, made.layout, made.sources) == (float32.code, "W", ["a", "b"])


def test_enumeration_members_are_kept_as_int32():
    members = converted(ragged(), InterpType)
    assert members.code == InterpType.code
    assert members.sample(0).dtype == np.int32
    assert members.select([1]).code == InterpType.code
    assert converted(members, int32).code == int32.code


def test_padding_fills_with_zeros_at_the_end():
    assert in_one_block(ragged(), pad=True).array().tolist() == [[1, 2, 3], [4, 0, 0]]
    with pytest.raises(ValueError, match="non-uniform shape"):
        in_one_block(ragged(), pad=False)


def test_read_only_memory_gives_read_only_arrays():
    samples = Samples.wrap(np.zeros((2, 3)))
    samples.read_only = True
    assert not samples.array().flags.writeable
    assert not samples.select([1]).sample(0).flags.writeable


@pytest.mark.parametrize("size", [4, 1 << 16])
def test_a_separate_view_is_contiguous_and_shares_nothing(size):
    array = np.arange(2 * size)
    made = separate(array[::2])
    assert made.flags.c_contiguous
    assert not np.shares_memory(made, array)
    assert np.array_equal(made, array[::2])


def test_zero_extents_are_no_obstacle():
    assert Samples.wrap(np.zeros((0, 3))).array().shape == (0, 3)
    assert Samples.wrap_one(np.zeros((2, 0))).sample(0).shape == (2, 0)


def test_rows_of_an_array_are_copied_in_any_order():
    labels = np.arange(5, dtype=np.int32)[:, None]
    made = Samples.copy_rows(labels, np.array([3, 0, 3]))
    labels[:] = 9
    assert made.array().tolist() == [[3], [0], [3]]
    assert made.array().dtype == np.int32
    with pytest.raises(IndexError):
        Samples.copy_rows(labels, np.array([5]))
    with pytest.raises(IndexError):
        Samples.copy_rows(labels, np.array([-1]))


def test_all_outputs_of_a_reader_are_numbered_at_once():
    outputs = (Samples.wrap(np.zeros((2, 1))), Samples.wrap(np.zeros((2, 3))))
    number_all(outputs, np.array([7, 4]))
    assert [each.indices for each in outputs] == [[7, 4], [7, 4]]
    with pytest.raises(ValueError, match="every sample"):
        number_all(outputs, np.array([7]))
