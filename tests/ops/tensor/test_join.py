"""cat and stack: arrays joined along an axis they have, or along a new one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_gpu, check_operator, on_torch_cpu, photos

LEFT = ndd.tensor(np.uint8([[1, 2], [3, 4]]), layout="HW")
RIGHT = ndd.tensor(np.uint8([[5], [6]]), layout="HW")


@pytest.mark.parametrize("name", ["cat", "stack"])
def test_joining_one_input_keeps_the_promises(name):
    check_operator(name, photos([(4, 6), (1, 5), (3, 1)]), axis=1)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64, np.int64, np.float16, np.float64, bool])
def test_several_inputs_are_joined_alike_on_a_gpu(dtype):
    left, right = photos([(4, 6), (1, 5), (3, 1)], dtype=dtype), photos([(4, 2), (1, 0), (3, 9)], dtype=dtype)
    check_gpu(lambda a, b: ndd.cat(a, b, a, axis_name="W"), left, right, layout="HWC")
    check_gpu(lambda a, b: ndd.stack(a, a, axis=-1), left, right, layout="HWC")
    check_gpu(lambda a: ndd.stack(a, a, a, axis=1, axis_name="F"), left, layout="HWC")


def test_shapes_that_do_not_fit_are_refused_on_a_gpu():
    with on_torch_cpu():
        left, right = LEFT.gpu(), RIGHT.gpu()
        with pytest.raises(RuntimeError, match=r"axis \(0\): input 1 has shape \{2 x 1\}, input 0 \{2 x 2\}"):
            ndd.cat(left, right).evaluate()
        with pytest.raises(RuntimeError, match="of equal shape: input 1 has shape"):
            ndd.stack(left, right).evaluate()


def test_by_eye():
    assert np.asarray(ndd.cat(LEFT, RIGHT, axis=1)).tolist() == [[1, 2, 5], [3, 4, 6]]
    assert np.asarray(ndd.cat(LEFT, RIGHT, RIGHT, axis_name="W")).tolist() == [[1, 2, 5, 5], [3, 4, 6, 6]]
    assert np.asarray(ndd.stack(LEFT, LEFT)).tolist() == [[[1, 2], [3, 4]]] * 2
    assert np.asarray(ndd.stack([1, 2], [3, 4], [5, 6], axis=-1)).tolist() == [[1, 3, 5], [2, 4, 6]]
    assert np.asarray(ndd.stack(1, 2)).tolist() == [1, 2]


def test_layouts():
    assert ndd.cat(LEFT, RIGHT, axis=1).layout == "HW"
    assert ndd.stack(LEFT, LEFT).layout is None
    assert ndd.stack(LEFT, LEFT, axis=-1, axis_name="C").layout == "HWC"
    assert ndd.stack(LEFT, LEFT, axis_name="C").layout == "CHW"
    assert ndd.stack(1, 2, axis_name="C").layout == "C"


def test_a_tensor_serves_every_sample_of_a_batch():
    batch = ndd.batch([[1, 2], [3]])
    assert [np.asarray(t).tolist() for t in ndd.cat(batch, ndd.tensor([9]))] == [[1, 2, 9], [3, 9]]
    assert [np.asarray(t).tolist() for t in ndd.cat(ndd.tensor([9]), batch)] == [[9, 1, 2], [9, 3]]


def test_batches_of_hundreds_of_numbers_are_one_block():
    numbers = ndd.batch(np.arange(300, dtype=np.float32))
    assert np.array_equal(ndd.as_tensor(ndd.stack(numbers, numbers)), np.repeat(np.arange(300), 2).reshape(300, 2))


def test_empty_batches_and_samples():
    nothing = ndd.batch(np.zeros((0, 2, 3)))
    assert (ndd.cat(nothing, nothing).batch_size, ndd.stack(nothing, nothing).ndim) == (0, 3)
    assert ndd.cat(np.zeros((0, 2)), np.zeros((3, 2))).shape == (3, 2)
    assert ndd.stack(np.zeros((0, 2)), np.zeros((0, 2)), axis=1).shape == (0, 2, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.cat(LEFT, RIGHT.dtype([[1], [2]]), axis=2), r"Accepted range is \[-2, 1\]"),
        (lambda: ndd.cat(1, 2), "Invalid axis argument, 0 for 0-D tensors"),
        (lambda: ndd.cat(LEFT, [1.5]), "Input 0 is uint8, 2-D, input 1 is float, 1-D"),
        (lambda: ndd.cat(LEFT, RIGHT, axis=1, axis_name="W"), "cannot be used together"),
        (lambda: ndd.cat(LEFT, RIGHT, axis_name="C"), "undefined axis 'C' for layout \"HW\""),
        (lambda: ndd.stack(LEFT, LEFT, axis_name="AB"), "must be a single character"),
        (lambda: ndd.stack(LEFT, LEFT, axis=-3), r"Accepted range is \[-2, 2\]"),
        (lambda: ndd.stack([1], [2], axis_name="C"), "needs an input with a layout"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(call, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        call()


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(RuntimeError, match=r"concatenation axis \(0\): input 1 has shape \{2 x 1\}, input 0 \{2 x 2\}"):
        ndd.cat(LEFT, RIGHT).evaluate()
    with pytest.raises(RuntimeError, match="of equal shape: input 1 has shape"):
        ndd.stack(LEFT, RIGHT).evaluate()
    with pytest.raises(ValueError, match="Inconsistent batch size: 3 != 2"):
        ndd.cat(ndd.batch([[1], [2]]), ndd.batch([[1], [2], [3]]))
    with pytest.raises(TypeError, match="missing 1 required"):
        ndd.cat()


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.integers(1, 5),
    st.sampled_from([np.uint8, np.int16, np.float32, np.float64, np.bool_]),
    st.booleans(),
    st.data(),
)
@settings(max_examples=80, deadline=None)
def test_joins_as_numpy_does(shape, count, dtype, uniform, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    random = np.random.default_rng(0)
    batches = []
    for _ in range(count):
        extents = [shape[axis]] * 3 if uniform else [data.draw(st.integers(0, 4)) for _ in range(3)]
        shapes = [[*shape] for _ in extents]
        for each, extent in zip(shapes, extents, strict=True):
            each[axis] = extent
        batches.append([random.integers(0, 99, each).astype(dtype) for each in shapes])
    for joined, *parts in zip(ndd.cat(*map(ndd.batch, batches), axis=axis), *batches, strict=True):
        np.testing.assert_array_equal(joined, np.concatenate(parts, axis=axis), strict=True)
    new = data.draw(st.integers(-len(shape), len(shape)))
    for joined, sample in zip(ndd.stack(*[ndd.batch(batches[0])] * count, axis=new), batches[0], strict=True):
        np.testing.assert_array_equal(joined, np.stack([sample] * count, axis=new), strict=True)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_large_samples_are_shared_among_threads(axis):
    big = photos([(700, 500), (700, 500)], seed=1)
    with ndd.EvalContext(num_threads=3):
        joined = ndd.cat(*(ndd.tensor(array) for array in big), axis=axis)
        np.testing.assert_array_equal(joined, np.concatenate(big, axis=axis))
        stacked = ndd.stack(ndd.batch(big), ndd.batch(big), axis=axis)
        np.testing.assert_array_equal(stacked.tensors[1], np.stack([big[1]] * 2, axis=axis))
