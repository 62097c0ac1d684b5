"""transpose: any permutation of any number of axes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC

IMAGE = ndd.tensor(np.arange(24, dtype=np.uint8).reshape(2, 3, 4), layout="HWC")


@pytest.mark.parametrize("perm", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("channels", [1, 3, 4, 5])
def test_transpose_keeps_the_promises(perm, channels):
    images = photos([(4, 36), (1, 5), (3, 1), (19, 17)], channels)
    for got, image in zip(check_operator("transpose", images, perm=list(perm)), images, strict=True):
        np.testing.assert_array_equal(got, image.transpose(perm))


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize("perm", [[2, 0, 1], [1, 2, 0], [1, 0, 2]])
def test_every_type_is_moved(dtype, perm):
    check_operator("transpose", photos([(5, 21), (33, 34)], dtype=dtype.storage), perm=perm)


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_rank_is_permuted_as_numpy_does(data):
    shape = data.draw(st.lists(st.integers(0, 5), max_size=6))
    perm = data.draw(st.permutations(range(len(shape))))
    array = np.arange(np.prod(shape, dtype=int), dtype=np.int16).reshape(shape)
    np.testing.assert_array_equal(np.asarray(ndd.transpose(array, perm=list(perm))), array.transpose(perm))


def test_without_perm_the_axes_are_reversed():
    assert ndd.transpose(np.zeros((2, 3, 4))).shape == (4, 3, 2)
    reversed_image = ndd.transpose(IMAGE)
    assert (reversed_image.shape, reversed_image.layout) == ((4, 3, 2), "CWH")


def test_output_layout_chooses_the_order_where_it_can():
    planes = ndd.transpose(IMAGE, output_layout="CHW")
    assert planes.layout == "CHW"
    np.testing.assert_array_equal(np.asarray(planes), np.asarray(IMAGE).transpose(2, 0, 1))
    renamed = ndd.transpose(IMAGE, output_layout="XYZ")
    assert (renamed.shape, renamed.layout) == ((4, 3, 2), "XYZ")


def test_layouts_follow_the_axes_unless_told_otherwise():
    assert ndd.transpose(IMAGE, perm=[2, 0, 1]).layout == "CHW"
    assert ndd.transpose(IMAGE, perm=[2, 0, 1], transpose_layout=False).layout == "HWC"
    assert ndd.transpose(IMAGE, perm=[2, 0, 1], output_layout="ABC").layout == "ABC"
    assert ndd.transpose(np.zeros((2, 3)), perm=[1, 0]).layout is None


def test_single_numbers_have_nothing_to_permute():
    assert ndd.transpose(5).item() == 5
    assert np.asarray(ndd.transpose([5, 6])).tolist() == [5, 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"perm": [0, 0, 1]}, r"Invalid permutation: sorted `perm` is not equal to \[0, ..., n-1\]"),
        ({"perm": [-1, 0, 1]}, "Invalid permutation"),
        ({"perm": [1, 0]}, r"Input has different dimensionality \(3\) than the length of the permutation \(2\)"),
        ({"output_layout": "AB"}, "does not name the 3 axes"),
        ({"output_layout": ""}, "does not name the 3 axes"),
    ],
)
def test_what_is_no_permutation_is_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.transpose(IMAGE, **arguments)
