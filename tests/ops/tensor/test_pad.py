"""pad: samples brought to a common size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock.values.dtypes import NUMERIC

RAGGED = ndd.batch([np.ones((2, 3), np.int32), np.ones((4, 1), np.int32)], layout="HW")


def lists(batch):
    return [np.asarray(tensor).tolist() for tensor in batch]


@pytest.mark.parametrize(
    "arguments",
    [
        {"shape": [7, 9, 4]},
        {"shape": [1, 9, 3], "align": [4]},
        {"shape": [5], "axes": [1]},
        {"shape": [9, 7], "axes": [-2, 0], "fill_value": 7.9},
        {"axis_names": "WH", "shape": [9, 1]},
    ],
)
def test_pad_keeps_the_promises(arguments):
    check_operator("pad", photos([(4, 6), (1, 5), (3, 1)]), **arguments)


@pytest.mark.parametrize("dtype", [dtype for dtype in NUMERIC if dtype != ndd.float64], ids=str)
def test_every_type_is_padded(dtype):
    check_operator("pad", photos([(4, 6), (1, 5)], dtype=dtype.storage), shape=[5, 8, 3], fill_value=-2.5)


def test_every_sample_may_have_arguments_of_its_own():
    each = {"shape": [[5, 5], [6, 6]], "fill_value": [2.0, 3.0], "align": [[1, 1], [4, 1]]}
    got = check_operator(
        "pad", [np.ones((2, 3)).astype(int), np.ones((4, 1)).astype(int)], layout=None, per_sample=each
    )
    assert [sample.shape for sample in got] == [(5, 5), (8, 6)]


def test_samples_become_as_large_as_the_largest():
    assert lists(ndd.pad(ndd.batch([[1], [1, 2, 3]]))) == [[1, 0, 0], [1, 2, 3]]
    assert lists(ndd.pad(ndd.batch([[1], [1, 2, 3]]), fill_value=-1)) == [[1, -1, -1], [1, 2, 3]]
    assert ndd.pad(RAGGED).shape == [(4, 3), (4, 3)]
    assert ndd.pad(RAGGED, axes=[0]).shape == [(4, 3), (4, 1)]
    assert ndd.pad(RAGGED, axis_names="W").shape == [(2, 3), (4, 3)]
    assert ndd.pad(RAGGED, axes=ndd.batch([[0], [1]])).shape == [(4, 3), (4, 3)]
    assert ndd.pad(RAGGED, axes=ndd.batch([[0], [1, 0]]), shape=[7]).shape == [(7, 3), (7, 7)]


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
def test_the_largest_is_known_only_when_all_samples_are(mode):
    with mode:
        got = ndd.copy(ndd.pad(ndd.crop(ndd.batch(photos([(4, 6), (7, 2)])), crop_h=3, crop_w=ndd.batch([5.0, 1.0]))))
    assert got.shape == [(3, 5, 3), (3, 5, 3)]


def test_the_batch_and_the_plain_function_agree_on_the_largest():
    from penstock.dynamic.calls.functions import declaration

    operator = declaration("pad")
    samples = photos([(4, 6), (7, 2)])
    plain = operator.function(
        samples, axes=None, axis_names="H", shape=None, align=np.int32([[4]]), fill_value=np.float32([5]), layout="HWC"
    )
    for got, wanted in zip(
        ndd.pad(ndd.batch(samples, layout="HWC"), axis_names="H", align=4, fill_value=5), plain, strict=True
    ):
        np.testing.assert_array_equal(np.asarray(got), wanted)


def test_extents_by_eye():
    assert lists([ndd.pad(np.int64([1, 2, 3]), align=[4])]) == [[1, 2, 3, 0]]
    assert lists([ndd.pad(np.int64([[1], [2]]), axes=[0], shape=[3])]) == [[[1], [2], [0]]]
    assert lists([ndd.pad(np.int64([1, 2, 3]), shape=[2])]) == [[1, 2, 3]]
    assert lists([ndd.pad(np.int64([[1], [2]]), shape=[-1, 2])]) == [[[1, 0], [2, 0]]]
    assert lists([ndd.pad(np.int64([1, 2]))]) == [[1, 2]]
    assert ndd.pad(RAGGED, shape=[-1, 5], align=[3, 4]).shape == [(6, 8), (6, 8)]


def test_fill_values_are_kept_in_the_range_of_the_type():
    assert lists([ndd.pad(np.uint8([1]), shape=[2], fill_value=300)]) == [[1, 255]]
    assert lists([ndd.pad(np.uint8([1]), shape=[2], fill_value=-1)]) == [[1, 0]]


def test_empty_samples_and_batches():
    assert lists([ndd.pad(np.zeros(0, np.int32), shape=[2], fill_value=4)]) == [[4, 4]]
    assert ndd.pad(ndd.batch([], dtype=ndd.int32)._of_samples(RAGGED._resolve().select([]))).shape == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axes": [0], "axis_names": "W"}, '"axes" and "axis_names" are mutually exclusive'),
        ({"axes": [7]}, "Axis 7 out of range"),
        ({"axes": [0, 0]}, "Axis index 0 occurs more than once"),
        ({"axis_names": "C"}, "Axis 'C' is not present in the input layout"),
        ({"align": [0]}, "Values of `align` argument must be positive"),
        ({"align": [1, 2, 3]}, 'Argument "align" expected shape 2 but got 3 values'),
        ({"shape": [1, 2, 3]}, 'Argument "shape" expected shape 2 but got 3 values'),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.pad(RAGGED, **arguments)


@pytest.mark.parametrize(
    ("axes", "message"),
    [([7], "Axis 7 out of range"), ([-7], "Axis -7 out of range"), ([0, 0], "occurs more than once")],
)
def test_axes_that_are_data_are_refused_as_literals_are(axes, message):
    for data in (ndd.tensor(axes), ndd.batch([axes] * RAGGED.batch_size)):
        with pytest.raises(RuntimeError, match=message):
            ndd.pad(RAGGED, axes=data).evaluate()


def test_bad_alignments_of_single_samples_are_refused():
    with pytest.raises(RuntimeError, match="Values of `align` argument must be positive, got -2"):
        ndd.pad(RAGGED, align=ndd.batch([[1], [-2]])).evaluate()


def test_types_and_ranks_the_operator_does_not_have_are_refused():
    with pytest.raises(RuntimeError, match="Unsupported data type: double"):
        ndd.pad(np.zeros(3))
    with pytest.raises(RuntimeError, match="Unsupported number of dimensions 0"):
        ndd.pad(3)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=5), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_padding_is_that_of_numpy(shapes, multiple):
    samples = [np.full(shape, i + 1, np.int16) for i, shape in enumerate(shapes)]
    largest = [-(-max(extents) // multiple) * multiple for extents in zip(*shapes, strict=True)]
    for got, sample in zip(ndd.pad(ndd.batch(samples), align=multiple), samples, strict=True):
        room = [(0, n - k) for n, k in zip(largest, sample.shape, strict=True)]
        np.testing.assert_array_equal(np.asarray(got), np.pad(sample, room))
