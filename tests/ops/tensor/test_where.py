"""where: choosing between two values, for every sample or for every element."""

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import photos, plain_only
from penstock import Pipeline, fn, types
from penstock.dynamic.calls.functions import declaration


def arrays(batch):
    return [np.asarray(sample) for sample in batch]


def same(got, wanted):
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


RAGGED = photos([(4, 5), (6, 2), (1, 1)])
SQUARE = photos([(4, 4)] * 3, seed=1)


@pytest.mark.parametrize("mode", [*ndd.EvalMode], ids=str)
@pytest.mark.parametrize("images", [RAGGED, SQUARE], ids=["ragged", "uniform"])
def test_whole_samples_are_chosen_and_may_differ_in_shape(images, mode):
    others = photos([(2, 3), (3, 3), (7, 1)], seed=2)
    with mode:
        made = ndd.where(ndd.batch([0, 2, 1]), ndd.batch(images, layout="HWC"), ndd.batch(others, layout="HWC"))
        assert (made.dtype, made.ndim, made.layout) == (ndd.uint8, 3, "HWC")
    same(arrays(made), [others[0], images[1], images[2]])


def test_whole_samples_are_not_copied():
    a, b = (ndd.batch(photos([(64, 64)] * 3, seed=seed)) for seed in (0, 1))
    made = ndd.where(ndd.batch([True, False, True]), a, b)
    assert np.shares_memory(np.asarray(made.tensors[0]), np.asarray(a.tensors[0]))
    assert np.shares_memory(np.asarray(made.tensors[1]), np.asarray(b.tensors[1]))


@pytest.mark.parametrize("images", [RAGGED, SQUARE], ids=["ragged", "uniform"])
def test_elements_are_chosen_as_numpy_does_and_as_the_plain_function_does(images):
    def call():
        batch = ndd.batch(images, layout="HWC")
        return ndd.where(batch > 100, batch, 255 - batch)

    made = arrays(call())
    same(made, [np.where(image > 100, image.astype(np.int32), 255 - image.astype(np.int32)) for image in images])
    with plain_only(declaration("where")):
        same(arrays(call()), made)


def test_a_mask_of_pixels_chooses_for_all_channels():
    mask = ndd.batch([image[..., 0] > 128 for image in RAGGED])
    made = ndd.where(mask.slice[..., None], ndd.batch(RAGGED), 7)
    same(arrays(made), [np.where(image[..., :1] > 128, image, np.uint8(7)) for image in RAGGED])
    with pytest.raises(RuntimeError, match=r"\(4, 5\), \(4, 5, 3\), \(\); mask.slice\[..., None\]"):
        ndd.where(mask, ndd.batch(RAGGED), 0).evaluate()


def test_tensors_are_chosen_by_a_tensor():
    made = ndd.where(ndd.tensor([1, 0, 1]), ndd.tensor([1, 2, 3]), ndd.tensor([4, 5, 6]))
    assert np.asarray(made).tolist() == [1, 5, 3]
    assert ndd.where(ndd.tensor(False), 1, 2).item() == 2
    assert ndd.where(True, ndd.tensor([1, 2]), ndd.tensor([1])).shape == (2,)


def test_one_sample_serves_the_whole_batch():
    made = ndd.where(ndd.batch([1, 0]), ndd.tensor([1, 2]), ndd.batch([[3, 4], [5, 6]]))
    assert made.numpy().tolist() == [[1, 2], [5, 6]]
    made = ndd.where(ndd.tensor([True, False]), ndd.batch([[1, 2], [3, 4]]), 0)
    assert made.numpy().tolist() == [[1, 0], [3, 0]]


@pytest.mark.parametrize(
    ("a", "b", "dtype"),
    [
        (np.uint8([1]), 0, ndd.uint8),
        (-1, np.uint8([1]), ndd.uint8),
        (np.uint8([1]), 0.5, ndd.float32),
        (np.float16([1]), 3, ndd.float16),
        (np.int64([1]), np.int32([1]), ndd.int64),
        (np.uint8([1]), np.float32([1]), ndd.float32),
        (True, False, ndd.bool),
    ],
)
def test_the_type_is_kept(a, b, dtype):
    made = ndd.where(ndd.tensor(True), a, b)
    assert made.dtype == made.evaluate().dtype == dtype


def test_a_number_beyond_the_type_of_the_array_saturates():
    assert ndd.where(ndd.tensor([False]), np.uint8([1]), 300).item() == 255


def test_members_of_enumerations_are_chosen():
    made = ndd.where(ndd.batch([1, 0]), ndd.batch([types.INTERP_NN, types.INTERP_CUBIC]), types.INTERP_LINEAR)
    assert [each.item() for each in made] == [types.INTERP_NN, types.INTERP_LINEAR]


def test_layouts_that_differ_are_refused():
    with pytest.raises(RuntimeError, match="Got HWC and CHW"):
        ndd.where(True, ndd.tensor(SQUARE[0], layout="HWC"), ndd.tensor(SQUARE[0], layout="CHW"))


def test_an_empty_batch_stays_empty():
    empty = ndd.batch([], dtype=ndd.uint8)
    assert ndd.where(empty, empty, 1).evaluate().shape == []


def test_pipelines_choose_too():
    pipeline = Pipeline(batch_size=2, num_threads=1, device_id=None)
    with pipeline:
        rows = fn.external_source(lambda: [np.int32([1, -2]), np.int32([-3, 4])])
        pipeline.set_outputs(fn.where(rows > 0, rows, 0))
    assert pipeline.run()[0].as_array().tolist() == [[1, 0], [0, 4]]


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float32, np.float64])
def test_elements_of_every_type_are_taken_bit_by_bit(dtype):
    random = np.random.default_rng(3)
    a, b = (random.integers(-9, 9, (4, 7, 5)).astype(dtype) for _ in range(2))
    if np.dtype(dtype).kind == "f":
        a[0, 0, :3] = np.nan, -0.0, np.inf
    mask = random.random((4, 7, 1)) < 0.5
    made = ndd.where(ndd.batch(mask), ndd.batch(a), ndd.batch(b)).numpy()
    assert made.dtype == dtype
    assert made.tobytes() == np.where(mask, a, b).tobytes()
