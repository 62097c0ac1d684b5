from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.several import check_several

MASK = np.array([[0, 1, 1, 0], [3, 0, 0, 2], [3, 3, 0, 2]], np.uint8)


def pixels(masks: Any, seed: int = 1234, **arguments: Any) -> np.ndarray:
    made = ndd.segmentation.random_mask_pixel(masks, rng=ndd.random.RNG(seed), **arguments)
    return np.array([np.asarray(sample) for sample in made])


@pytest.mark.parametrize("arguments", [{}, {"foreground": 1}, {"foreground": 1, "threshold": 1.5}])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64,
                                   np.float32])  # fmt: skip
def test_random_mask_pixel_keeps_the_promises(arguments, dtype):
    masks = [MASK.astype(dtype), MASK[:, :1].astype(dtype), MASK[:2].astype(dtype)]
    check_several("segmentation.random_mask_pixel", masks, **arguments)


def test_arguments_for_every_sample():
    each = {"foreground": [1, 0, 1], "value": [3, 2, 1]}
    found = check_several("segmentation.random_mask_pixel", [MASK] * 3, per_sample=each)[0]
    assert MASK[tuple(found[0])] == 3
    assert MASK[tuple(found[2])] == 1


def test_a_seed_gives_known_pixels():
    assert pixels(ndd.batch([MASK] * 3), foreground=1).tolist() == [[1, 3], [0, 1], [0, 1]]
    assert pixels(ndd.batch([MASK] * 3)).tolist() == [[1, 0], [0, 3], [0, 2]]


def test_all_pixels_of_the_foreground_are_as_likely():
    found = pixels(ndd.tensor(MASK), foreground=1, batch_size=7000)
    counts = np.zeros(MASK.shape)
    np.add.at(counts, tuple(found.T), 1)
    np.testing.assert_allclose(counts / 1000, MASK > 0, atol=0.12)
    counts[:] = 0
    np.add.at(counts, tuple(pixels(ndd.tensor(MASK), batch_size=6000).T), 1)
    np.testing.assert_allclose(counts / 500, 1, atol=0.2)


def test_a_large_mask_with_one_pixel():
    mask = np.zeros((480, 640), np.int32)
    mask[473, 5] = 7
    assert (pixels(ndd.tensor(mask), foreground=1, batch_size=5) == [473, 5]).all()
    assert (pixels(ndd.tensor(mask), foreground=1, value=7, batch_size=5) == [473, 5]).all()
    mask[:] = 1
    assert len(np.unique(pixels(ndd.tensor(mask), foreground=1, batch_size=50), axis=0)) == 50


@pytest.mark.parametrize("arguments", [{"threshold": 9.0}, {"value": 9}, {"value": -1}, {"value": 259}])
def test_a_mask_without_foreground_gives_any_pixel(arguments):
    everywhere = pixels(ndd.tensor(MASK), batch_size=20)
    np.testing.assert_array_equal(pixels(ndd.tensor(MASK), foreground=1, batch_size=20, **arguments), everywhere)


@pytest.mark.parametrize(
    ("dtype", "threshold", "count"),
    [(np.int8, -200.0, 4), (np.int8, 126.5, 1), (np.int8, 127.0, 0), (np.uint8, -1.0, 4), (np.uint64, 126.0, 1),
     (np.float32, 126.99, 1), (np.float32, float("inf"), 0), (np.int64, float("-inf"), 4)],
)  # fmt: skip
def test_thresholds_anywhere(dtype, threshold, count):
    mask = np.array([0, 1, 2, 127], dtype)
    found = pixels(ndd.tensor(mask), foreground=1, threshold=ndd.tensor(np.float32(threshold)), batch_size=60)
    assert set(found.ravel()) == ({3} if count == 1 else {0, 1, 2, 3})


def test_nan_is_not_foreground():
    mask = np.array([np.nan, 1, np.nan], np.float32)
    assert (pixels(ndd.tensor(mask), foreground=1, batch_size=9) == 1).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_masks_are_integers_or_float32(dtype):
    with pytest.raises(RuntimeError, match=r"Unexpected data type: .*; masks are integers or float"):
        ndd.segmentation.random_mask_pixel(ndd.tensor(MASK.astype(dtype)))


@pytest.mark.parametrize("mask", [np.zeros((0, 3), np.uint8), np.zeros((), np.uint8)])
def test_an_empty_mask_has_no_pixel(mask):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match="there is no pixel"):
        ndd.segmentation.random_mask_pixel(ndd.tensor(mask))


def test_value_and_threshold_exclude_each_other():
    with pytest.raises(RuntimeError, match="give one of them"):
        ndd.segmentation.random_mask_pixel(ndd.tensor(MASK), value=1, threshold=0.5)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    threshold=st.floats(-1, 5, width=32),
)
def test_a_pixel_of_the_foreground_is_found(seed, shape, threshold):
    mask = np.random.default_rng(seed).integers(0, 4, shape).astype(np.uint8)
    found = pixels(ndd.batch([mask]), seed=seed, foreground=1, threshold=threshold)[0]
    assert mask[tuple(found)] > threshold or mask.max() <= threshold
