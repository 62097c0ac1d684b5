"""normalize: mean and deviation given, of samples or of batches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator, photos
from penstock import types

ROWS = np.float32([[1, 2, 4], [3, 8, 5]])
TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.float32]


def normalized(data, **arguments):
    return np.asarray(ndd.normalize(data, **arguments))


def by_hand(x, axes=None, ddof=0, epsilon=0.0):
    x = x.astype(np.float64)
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).sum(axes, keepdims=True) / (x.size / mean.size - ddof) + epsilon)


@pytest.mark.parametrize("axes", [None, [0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]])
@pytest.mark.parametrize("size", [(3, 5), (40, 37)])
def test_normalize_keeps_the_promises(axes, size):
    images = [image.astype(np.float32) for image in photos([size, (7, 2)])]
    check_operator("normalize", images, axes=axes, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("wanted", [types.UINT8, types.INT8, types.UINT16, types.INT16, types.INT32, types.FLOAT])
def test_every_type_is_normalized_to_every_type(dtype, wanted):
    images = photos([(4, 6), (9, 9)], dtype=dtype)
    check_operator("normalize", images, axis_names="HW", scale=60.0, shift=90.0, dtype=wanted, rtol=1e-5, atol=1)


@pytest.mark.parametrize(
    "arguments", [{"mean": 90.0}, {"stddev": 40.0}, {"ddof": 1}, {"epsilon": 2.5}, {"scale": 3, "shift": -1}]
)
@pytest.mark.parametrize("batch", [False, True])
def test_parameters_of_samples_and_batches(arguments, batch):
    samples = [image.astype(np.float32) for image in photos([(4, 6), (9, 6)])]
    got = ndd.normalize(ndd.batch(samples, layout="HWC"), axes=[0], batch=batch, **arguments)
    whole = np.concatenate(samples) if batch else None
    for made, sample in zip(got, samples, strict=True):
        data = (sample if whole is None else whole).astype(np.float64)
        mean = arguments.get("mean", data.mean(0))
        variance = ((data - mean) ** 2).sum(0) / (len(data) - arguments.get("ddof", 0))
        deviation = np.sqrt(arguments.get("stddev", np.sqrt(variance)) ** 2 + arguments.get("epsilon", 0))
        expected = arguments.get("scale", 1) * (sample - mean) / deviation + arguments.get("shift", 0)
        np.testing.assert_allclose(np.asarray(made), expected, rtol=1e-5, atol=1e-5)


def test_results_by_eye():
    np.testing.assert_allclose(normalized(np.float32([1, 2, 3])), [-1.2247, 0, 1.2247], atol=1e-4)
    np.testing.assert_allclose(normalized(np.float32([[1, 2], [3, 4]]), axes=[0]), [[-1, -1], [1, 1]])
    np.testing.assert_allclose(normalized(np.float32([1, 2, 3]), mean=2, stddev=0.5), [-2, 0, 2])
    np.testing.assert_allclose(normalized(np.float32([1, 2, 3]), ddof=1), [-1, 0, 1])
    np.testing.assert_allclose(normalized(np.float32([1, 3]), epsilon=3), [-0.5, 0.5])
    assert normalized(np.uint8([1, 2, 3]), scale=10, shift=100, dtype=types.UINT8).tolist() == [88, 100, 112]


def test_batches_by_eye():
    batch = ndd.batch(np.float32([[1, 2], [3, 4]]))
    together = [np.asarray(t).tolist() for t in ndd.normalize(batch, batch=True)]
    np.testing.assert_allclose(together, [[-1.3416, -0.4472], [0.4472, 1.3416]], atol=1e-4)
    apart = [np.asarray(t).tolist() for t in ndd.normalize(batch)]
    np.testing.assert_allclose(apart, [[-1, 1], [-1, 1]])


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
def test_a_batch_is_averaged_once_all_of_it_is_there(mode):
    batch = ndd.batch([np.float32([1, 2]), np.float32([3, 4])])
    with mode:
        got = ndd.copy(ndd.normalize(ndd.copy(batch), batch=True))
    np.testing.assert_allclose([np.asarray(t) for t in got], [[-1.3416, -0.4472], [0.4472, 1.3416]], atol=1e-4)


def test_the_batch_and_the_plain_function_agree():
    samples = [image.astype(np.float32) for image in photos([(4, 6), (9, 6)])]
    from penstock.dynamic.calls.functions import declaration

    operator = declaration("normalize")
    arguments = {**operator.defaults, "axes": [0, 1], "batch": True, "layout": "HWC"}
    for got, wanted in zip(
        ndd.normalize(ndd.batch(samples), axes=[0, 1], batch=True), operator.function(samples, **arguments), strict=True
    ):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-5, atol=1e-6)


def test_no_deviation_gives_the_shift():
    assert normalized(np.float32([5, 5])).tolist() == [0, 0]
    assert normalized(np.float32([5, 5]), shift=3, scale=7).tolist() == [3, 3]
    assert normalized(np.float32([5]), ddof=1).tolist() == [0]
    assert normalized(np.float32([[1, 2], [3, 4]]), axes=[0], ddof=2).tolist() == [[0, 0], [0, 0]]
    together = ndd.normalize(ndd.batch([np.float32([5, 5]), np.float32([5])]), batch=True)
    assert [np.asarray(t).tolist() for t in together] == [[0, 0], [0]]


def test_too_few_elements_for_a_deviation_have_none_but_epsilon():
    pair = np.float32([3, 5])
    assert normalized(pair, axes=[0], mean=1, ddof=2, epsilon=0.25).tolist() == [4, 8]
    assert normalized(pair, axes=[0], ddof=3, epsilon=0.25).tolist() == [-2, 2]
    assert normalized(pair[None], axes=[0], mean=1, ddof=1, epsilon=0.25, shift=7).tolist() == [[11, 15]]
    together = ndd.normalize(ndd.batch([pair, np.float32([7])]), mean=1, ddof=3, epsilon=0.25, batch=True)
    assert [np.asarray(t).tolist() for t in together] == [[4, 8], [12]]
    for batch in (False, True):
        check_operator("normalize", [pair], layout=None, mean=1, ddof=2, epsilon=0.25, batch=batch)


def test_given_arrays_tell_the_axes():
    mean, deviation = np.float32([[1, 2, 3]]), np.float32([[2, 1, 4]])
    np.testing.assert_allclose(normalized(ROWS, mean=mean, stddev=deviation), (ROWS - mean) / deviation)
    around = np.sqrt(((ROWS - mean) ** 2).mean(0))
    np.testing.assert_allclose(normalized(ROWS, mean=ndd.tensor(mean)), (ROWS - mean) / around, rtol=1e-6)
    np.testing.assert_allclose(normalized(ROWS, mean=mean, stddev=2.0), (ROWS - mean) / 2)
    np.testing.assert_allclose(normalized(ROWS, mean=ndd.tensor(2.0), stddev=ndd.tensor([2.0])), (ROWS - 2) / 2)


def test_every_sample_may_have_parameters_of_its_own():
    each = {"mean": [[[1.0, 2, 3]], [[3.0, 2, 1]]], "stddev": [[[1.0, 2, 3]], [[2.0, 2, 2]]]}
    check_operator("normalize", [ROWS, ROWS[:1]], layout=None, per_sample=each, axes=[0], rtol=1e-6)
    check_operator("normalize", [ROWS, ROWS[:1]], layout=None, per_sample={"mean": [1.0, 2.0]}, stddev=2.0, rtol=1e-6)


def test_a_given_deviation_of_zero_divides_by_zero():
    assert normalized(np.float32([1, 3]), mean=2, stddev=0).tolist() == [-np.inf, np.inf]
    np.testing.assert_allclose(normalized(np.float32([1, 3]), mean=2, stddev=0, epsilon=4), [-0.5, 0.5])


def test_numbers_and_empty_samples():
    assert normalized(np.float32(5)).tolist() == 0
    assert normalized(np.zeros((0, 3), np.float32)).shape == (0, 3)
    assert ndd.normalize(ndd.batch([np.zeros((0, 3), np.float32)]), batch=True, axes=[0]).shape == [(0, 3)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axes": [-1]}, "Normalize: axis index -1 is out of valid range 0..1"),
        ({"axes": [0, 0]}, "Normalize: an axis occurs more than once"),
        ({"axes": []}, "must specify at least one reduction axis"),
        ({"axis_names": "X"}, "Axis 'X' is not present in the input layout"),
        ({"axes": [0], "axis_names": "H"}, "Arguments `axes` and `axis_names` are mutually exclusive"),
        ({"axes": [0], "mean": 1, "stddev": 1}, "Axes must not be specified when both mean and standard deviation"),
        ({"mean": np.float32([1, 2, 3])}, "Normalization parameters' shape must have extent of 1"),
        ({"batch": True, "mean": ndd.tensor(1.0)}, "Batch normalization cannot be used with parameters"),
        ({"dtype": types.FLOAT64}, "Normalize: unsupported output type: double"),
    ],
)
def test_contradictions_are_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.normalize(ndd.tensor(ROWS, layout="HW"), **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mean": np.float32([[1, 2, 3]]), "axes": [1]}, "parameter shape: .* does not match the reduced input"),
        ({"mean": np.float32([[1, 2, 3]]), "stddev": np.float32([[1], [2]])}, "their shapes must match"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.normalize(ROWS, **arguments).evaluate()


def test_batches_must_agree_in_the_axes_that_are_kept():
    ragged = ndd.batch([ROWS, ROWS[:, :2].copy()])
    with pytest.raises(RuntimeError, match="non-reduced dimensions have equal extent in all samples"):
        ndd.normalize(ragged, batch=True, axes=[0]).evaluate()


@pytest.mark.parametrize("dtype", [np.uint64, np.int64, np.float16, np.float64, bool])
def test_types_the_operator_does_not_have_are_refused(dtype):
    with pytest.raises(RuntimeError, match="Normalize: unsupported input type"):
        ndd.normalize(np.ones(3, dtype))


def test_nan_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        ndd.normalize(ROWS, mean=np.nan)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=5), st.data())
@settings(max_examples=60, deadline=None)
def test_any_axes_are_averaged_as_numpy_does(shape, data):
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=len(shape), unique=True))
    sample = np.random.default_rng(0).random(shape).astype(np.float32)
    expected = by_hand(sample, tuple(axes), epsilon=0.5)
    np.testing.assert_allclose(normalized(sample, axes=axes, epsilon=0.5), expected, rtol=1e-4, atol=1e-5)
