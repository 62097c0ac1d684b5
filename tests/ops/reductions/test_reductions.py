"""reductions.*: sums, averages, deviations and extremes over axes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_gpu, check_operator, photos
from penstock import types

R = ndd.reductions
TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32]
ONE_INPUT = ["sum", "mean", "mean_square", "rms", "min", "max"]
SAMPLES = photos([(4, 6), (9, 37), (70, 41)])
TABLE = np.float32([[1, 2], [3, 4]])


def shown(result):
    return np.asarray(result).tolist()


@pytest.mark.parametrize("name", ONE_INPUT)
@pytest.mark.parametrize("axes", [None, [], [0], [1], [-1], [0, 1], [2, 1], [0, 2], [0, 1, 2]])
def test_reductions_keep_the_promises(name, axes):
    check_operator(f"reductions.{name}", SAMPLES, axes=axes, rtol=1e-6)
    check_operator(f"reductions.{name}", SAMPLES, axes=axes, keep_dims=True, rtol=1e-6)


@pytest.mark.parametrize("name", ONE_INPUT)
@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_is_reduced(name, dtype):
    samples = [(photo.astype(np.int64) * 3 - 300).astype(dtype) for photo in SAMPLES]
    check_operator(f"reductions.{name}", samples, axis_names="HW", rtol=1e-6)


@pytest.mark.parametrize("dtype", TYPES)
def test_an_extreme_is_found_wherever_it_is(dtype):
    places = [*range(300), *range(8000, 9001, 7), 9000]  # in whole vectors, in what is left beside them, and the last
    flat = np.full(9001, 5, dtype)
    for name, extreme in (("min", 1), ("max", 9)):
        samples = [flat.copy() for _ in places]
        for sample, place in zip(samples, places, strict=True):
            sample[place] = extreme
        assert {float(each) for each in np.asarray(getattr(R, name)(ndd.batch(samples)))} == {extreme}


def test_nan_is_passed_over_in_long_arrays():
    numbers = np.full(9001, np.nan, np.float32)
    numbers[[700, 5000]] = 2, -3
    assert shown(R.max(numbers)) == 2
    assert shown(R.min(numbers)) == -3


@pytest.mark.parametrize("name", ["variance", "std_dev"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("axes", [[0], [2], [0, 1], [0, 1, 2]])
def test_deviations_are_those_of_numpy(name, dtype, axes):
    samples = [(photo.astype(np.int64) * 2 + 100).astype(dtype) for photo in SAMPLES]
    batch = ndd.batch(samples, layout="HWC")
    made = getattr(R, name)(batch, R.mean(batch, axes=axes), axes=axes, ddof=1)
    by_hand = {"variance": np.var, "std_dev": np.std}[name]
    for got, sample in zip(made, samples, strict=True):
        wide = sample.astype(np.float64)
        np.testing.assert_allclose(np.asarray(got), by_hand(wide, axis=tuple(axes), ddof=1), rtol=1e-4)


def test_results_by_eye():
    assert shown(R.sum(TABLE)) == 10
    assert shown(R.sum(TABLE, axes=0)) == [4, 6]
    assert shown(R.mean(TABLE, axes=[-1])) == [1.5, 3.5]
    assert shown(R.mean_square(TABLE, axes=[1])) == [2.5, 12.5]
    assert shown(R.rms(np.float32([3, -3]))) == 3
    assert shown(R.min(TABLE, axes=[0], keep_dims=True)) == [[1, 2]]
    assert shown(R.max(TABLE)) == 4
    assert shown(R.variance(np.float32([1, 3]), 2.0)) == 1
    assert shown(R.variance(np.float32([1, 3]), 2.0, ddof=1)) == 2
    assert shown(R.std_dev(TABLE, np.float32([2, 3]), axes=[0])) == [1, 1]
    assert shown(R.std_dev(np.uint8([1, 7]), ndd.batch([4.0, 1.0]).tensors[0])) == 3


def test_layouts_lose_the_axes_that_are_gone():
    image = ndd.tensor(SAMPLES[0], layout="HWC")
    assert R.sum(image, axis_names="W").layout == "HC"
    assert R.sum(image, axis_names="W", keep_dims=True).layout == "HWC"
    assert R.sum(image).layout is None
    assert R.sum(image, axis_names="").shape == image.shape


def test_integers_are_summed_in_64_bits_and_wrap_only_when_told():
    assert R.sum(np.uint8([200, 201])).dtype is ndd.uint64
    assert R.sum(np.int16([-200, 201])).dtype is ndd.int64
    assert shown(R.sum(np.uint8([200, 201]))) == 401
    assert shown(R.sum(np.uint8([200, 201]), dtype=types.UINT8)) == 145
    assert shown(R.sum(np.int64([2**62, 2**62, -(2**62)]))) == 2**62
    assert shown(R.sum(np.uint64([2**63, 2**63, 5]))) == 5


def test_averages_do_not_wrap():
    assert shown(R.mean(np.uint8([200, 201]), dtype=types.UINT8)) == 200
    assert shown(R.rms(np.uint8([200, 201]), dtype=types.UINT8)) == 200
    assert shown(R.mean(np.int32([-1, -2]), dtype=types.INT32)) == -1
    assert shown(R.mean_square(np.uint8([3, 4]), dtype=types.UINT64)) == 12
    assert shown(R.mean_square(np.int64([2**40]))) == 2.0**80
    assert shown(R.mean(np.int64([2**62] * 3))) == 2.0**62


def test_large_sums_stay_exact():
    ones = np.full((1 << 20) + 3, 255, np.uint8)
    assert shown(R.sum(ones)) == ones.size * 255
    assert shown(R.sum(ones.astype(np.uint16) * 257)) == ones.size * 65535
    assert shown(R.mean_square(ones, dtype=types.UINT64)) == 255 * 255
    assert shown(R.mean(np.full(1 << 22, 0.1, np.float32))) == pytest.approx(np.float32(0.1), rel=1e-7)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
@pytest.mark.parametrize("length", [511, 512, 8191, 8192, 8193, 40_000])
def test_every_element_of_a_long_array_is_summed_once(dtype, length):
    array = np.random.default_rng(2).integers(0, 100, length).astype(dtype)
    made = ndd.reductions.sum(ndd.batch([array, array[::-1].copy()]))
    assert [float(np.asarray(each)) for each in made] == [float(array.sum(dtype=np.float64))] * 2


def test_nothing_and_nan():
    nothing = np.zeros((0, 3), np.float32)
    assert shown(R.sum(nothing, axes=[0])) == [0, 0, 0]
    assert np.isnan(np.asarray(R.mean(nothing, axes=[0]))).all()
    assert np.asarray(R.mean(nothing, axes=[1])).shape == (0,)
    assert shown(R.min(np.zeros(0, np.uint8))) == 255
    assert shown(R.max(np.zeros(0, np.float32))) == np.finfo(np.float32).min
    assert shown(R.max(np.float32([np.nan, 2, np.nan, 3]))) == 3
    assert np.isnan(shown(R.sum(np.float32([np.nan, 2]))))
    assert shown(R.variance(np.float32([1, 3]), 2.0, ddof=2)) == np.inf


@pytest.mark.parametrize("name", [*ONE_INPUT, "variance"])
@pytest.mark.parametrize("dtype", [np.float16, np.float64, bool])
def test_other_types_are_refused(name, dtype):
    given = [np.zeros(3, dtype)] + [0.0] * (name == "variance")
    with pytest.raises(RuntimeError, match="Unsupported input type"):
        getattr(R, name)(*given)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"axes": [0, 0]}, ValueError, "Duplicate axis index 0"),
        ({"axes": [0, -3]}, ValueError, "Duplicate axis index 0"),
        ({"axes": [3]}, IndexError, r"3 not in range \[-3, 2\]"),
        ({"axes": [0], "axis_names": "H"}, RuntimeError, "mutually exclusive"),
        ({"axis_names": "D"}, RuntimeError, "Axis 'D' is not present"),
        ({"axis_names": "HH"}, RuntimeError, "more than once"),
        ({"dtype": types.INT32}, RuntimeError, "Unsupported types: uint8, int32"),
        ({"dtype": types.FLOAT64}, RuntimeError, "Unsupported types: uint8, double"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(arguments, error, text):
    with pytest.raises(error, match=text):
        R.sum(ndd.tensor(SAMPLES[0], layout="HWC"), **arguments)


def test_a_mean_must_fit():
    batch = ndd.batch(SAMPLES, layout="HWC")
    with pytest.raises(RuntimeError, match=r"a mean of shape \(2,\) does not go with a result of shape \(1, 1, 3\)"):
        R.variance(batch, np.float32([1, 2]), axes=[0, 1]).evaluate()
    with pytest.raises(RuntimeError, match="must be float32, got double"):
        R.variance(batch, np.float64(1))
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        R.variance(batch, ndd.batch([1.0, 2.0]))
    with pytest.raises(TypeError, match="missing 1 required input"):
        R.std_dev(batch)
    assert R.variance(ndd.batch([], dtype=ndd.uint8), 1.0).batch_size == 0


@settings(max_examples=60, deadline=None)
@given(
    shape=st.lists(st.integers(0, 40), min_size=1, max_size=4),
    dtype=st.sampled_from(TYPES),
    chosen=st.integers(0, 15),
    keep_dims=st.booleans(),
    name=st.sampled_from(ONE_INPUT),
)
def test_any_shape_and_axes(shape, dtype, chosen, keep_dims, name):
    shape = [extent if extent < 6 or i == len(shape) - 1 else 6 for i, extent in enumerate(shape)]
    data = np.random.default_rng(0).integers(-90, 91, shape).astype(dtype)
    axes = [axis for axis in range(len(shape)) if chosen >> axis & 1]
    check_operator(
        f"reductions.{name}", [data, data[:1]], layout=None, axes=axes, keep_dims=keep_dims, rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("name", ["variance", "std_dev"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("axes", [[], [0], [2], [0, 1], [0, 1, 2]])
def test_deviations_on_a_gpu_are_those_of_the_cpu(name, dtype, axes):
    def deviation(batch):
        return getattr(R, name)(batch, R.mean(batch, axes=axes), axes=axes, ddof=1)

    samples = [(photo.astype(np.int64) * 2 + 100).astype(dtype) for photo in SAMPLES]
    check_gpu(deviation, samples, layout="HWC", rtol=1e-5)
    check_gpu(lambda batch: getattr(R, name)(batch, 5.0, axes=axes, keep_dims=True), samples, rtol=1e-5)


@pytest.mark.parametrize("name", ONE_INPUT)
def test_nothing_and_nan_are_the_same_on_a_gpu(name):
    reduction = getattr(R, name)
    for axes in ([0], [1], [0, 1], []):
        check_gpu(reduction, [np.zeros((0, 3), np.float32), np.zeros((2, 3), np.float32)], axes=axes)
    strange = np.float32([np.nan, 2, np.inf, np.nan, -np.inf, 3])
    check_gpu(reduction, [strange, strange[:2], np.full(2, np.inf, np.float32), strange[:1]])


def test_wide_and_narrow_types_of_results_are_the_same_on_a_gpu():
    for dtype in (types.UINT8, types.UINT64, types.FLOAT):
        check_gpu(R.sum, SAMPLES, dtype=dtype)
    for name in ("mean", "rms"):
        check_gpu(getattr(R, name), SAMPLES, dtype=types.UINT8)
    check_gpu(R.mean_square, SAMPLES, dtype=types.UINT64)
    large = [np.uint64([2**63, 2**63, 5]), np.uint64([2**64 - 1, 0])]
    for name in ONE_INPUT:
        check_gpu(getattr(R, name), large, rtol=1e-6)
