from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.several import check_several
from penstock import fn, pipeline_def


def places(*image: Any, seed: int = 1234, n: int | None = None, **arguments: Any) -> np.ndarray:
    made = ndd.roi_random_crop(*image, batch_size=n, rng=ndd.random.RNG(seed), **arguments)
    return np.array([np.asarray(sample) for sample in made])


def test_roi_random_crop_keeps_the_promises():
    images = [np.zeros((6, 8), np.uint8), np.zeros((16, 9), np.uint8)]
    check_several("roi_random_crop", images, crop_shape=[4, 5], roi_start=[1, 1], roi_shape=[3, 2])
    check_several("roi_random_crop", images, crop_shape=[3, 3], roi_start=1, roi_end=[5, 4])
    each = {"crop_shape": [[2, 2], [3, 9]], "roi_start": [[1, 1], [0, 0]], "roi_end": [[2, 3], [16, 9]]}
    check_several("roi_random_crop", images, per_sample=each)


def test_a_seed_gives_known_places():
    known = places(n=3, crop_shape=[20, 30], roi_start=[10, 20], roi_end=[90, 180])
    assert known.tolist() == [[40, 35], [15, 134], [13, 116]]


def test_a_large_window_contains_the_region():
    found = places(n=500, crop_shape=[50, 60], roi_start=[30, 40], roi_end=[40, 50])
    assert found.min(axis=0).tolist() == [-10, -10]
    assert found.max(axis=0).tolist() == [30, 40]
    inside = places(n=500, crop_shape=[50, 60], roi_start=[30, 40], roi_end=[40, 50], in_shape=[60, 70])
    assert inside.min(axis=0).tolist() == [0, 0]
    assert inside.max(axis=0).tolist() == [10, 10]


def test_a_small_window_lies_in_the_region():
    found = places(n=3000, crop_shape=[2, 3], roi_start=[10, 20], roi_shape=[6, 4])
    assert found.min(axis=0).tolist() == [10, 20]
    assert found.max(axis=0).tolist() == [14, 21]
    assert np.bincount(found[:, 0])[10:] / 3000 == pytest.approx([0.2] * 5, abs=0.03)


def test_the_image_itself_may_have_more_axes():
    image = ndd.tensor(np.zeros((6, 8, 3), np.uint8), layout="HWC")
    found = places(image, n=100, crop_shape=[4, 4], roi_start=[0, 0], roi_end=[6, 8])
    assert found.max(axis=0).tolist() == [2, 4]


def test_samples_and_seeds_differ():
    arguments = {"crop_shape": [1, 1], "roi_start": [0, 0], "roi_end": [10**6, 10**6], "n": 50}
    assert len(np.unique(places(**arguments), axis=0)) == 50
    np.testing.assert_array_equal(places(**arguments), places(**arguments))
    assert (places(**arguments) != places(seed=1, **arguments)).any()
    assert places(**{**arguments, "n": 0}).size == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Either ROI end or ROI shape should be defined, but not both"),
        ({"roi_end": [3, 3], "roi_shape": [2, 2]}, "Either ROI end or ROI shape should be defined, but not both"),
        ({"roi_end": [3, 3, 3]}, 'argument "roi_end" but got shape'),
        ({"roi_end": ndd.tensor([3, 3, 3])}, 'argument "roi_end" but got shape'),
        ({"roi_end": [0, 3]}, "before it starts"),
        ({"roi_shape": [-1, 1]}, "before it starts"),
        ({"roi_end": [3, 3], "crop_shape": [-2, 2]}, "negative extent"),
        (
            {"roi_end": [3, 3], "in_shape": [9, 1]},
            r"bigger than the input shape. Got: crop_shape\[2\] and sample_shape\[1\] for d=1",
        ),
        (
            {"roi_end": [3, 13], "in_shape": [9, 9]},
            r"ROI can't be out of bounds. Got roi_start\[1\], roi_end\[13\], sample_shape\[9\]",
        ),
        ({"roi_end": [3, 3], "roi_start": [-1, 1], "in_shape": [9, 9]}, "ROI can't be out of bounds"),
    ],
)
def test_bad_arguments(arguments, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.roi_random_crop(**{"crop_shape": [2, 2], "roi_start": [1, 1], **arguments})


def test_an_image_and_its_shape_exclude_each_other():
    image = ndd.tensor(np.zeros((6, 8), np.uint8))
    with pytest.raises(RuntimeError, match="``in_shape`` argument is incompatible with providing an input"):
        ndd.roi_random_crop(image, crop_shape=[2, 2], roi_start=[1, 1], roi_end=[2, 2], in_shape=[6, 8])
    with pytest.raises(RuntimeError, match="up to 2 numbers, got 3"):
        ndd.roi_random_crop(image, crop_shape=[2, 2, 2], roi_start=[1, 1, 1], roi_end=[2, 2, 2])
    with pytest.raises(TypeError, match="roi_start"):
        ndd.roi_random_crop(image, crop_shape=[2, 2], roi_end=[2, 2])


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_windows_have_as_much_of_the_region_as_possible(data):
    axes = data.draw(st.integers(1, 3))
    shape = [data.draw(st.integers(1, 50)) for _ in range(axes)]
    crop = [data.draw(st.integers(0, extent)) for extent in shape]
    start = [data.draw(st.integers(0, extent)) for extent in shape]
    end = [data.draw(st.integers(first, extent)) for first, extent in zip(start, shape, strict=True)]
    found = places(n=20, crop_shape=crop, roi_start=start, roi_end=end, in_shape=shape)
    assert ((found >= 0) & (found + crop <= shape)).all()
    covered = np.minimum(found + crop, end) - np.maximum(found, start)
    assert (covered == np.minimum(crop, np.subtract(end, start))).all()


def test_no_number_is_spent_on_an_axis_with_one_place() -> None:
    def define() -> Any:
        return fn.roi_random_crop(roi_start=[5, 5, 5], roi_end=[15, 15, 15], crop_shape=[10, 4, 4])

    pipeline = pipeline_def(define, batch_size=4, num_threads=1, device_id=None, seed=31)()
    assert pipeline.run()[0].as_array().tolist() == [[5, 11, 6], [5, 8, 8], [5, 7, 6], [5, 8, 9]]  # as DALI's
