"""Counts of the values of an image."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.dynamic.values.operator_calls import calls
from penstock.schema.operator import Operator


def histogram(images: object) -> ndd.Batch:
    made: ndd.Batch = calls.function("_histogram")(images)
    return made


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_native_counts_are_those_of_the_plain_function(channels: int) -> None:
    from penstock.ops.reductions.histogram import histogram as declared

    assert isinstance(declared, Operator)
    rng = np.random.default_rng(2)
    images = [rng.integers(0, 256, (h, w, channels), np.uint8) for h, w in ((7, 9), (1, 1), (0, 4))]
    made = histogram(ndd.batch(images, layout="HWC"))
    for counts, image in zip(made, images, strict=True):
        assert (np.asarray(counts) == declared.function(image)).all()
        assert np.asarray(counts).sum() == image.size


def test_counts_by_eye() -> None:
    image = np.uint8([[[0, 9], [0, 255]]])
    counts = np.asarray(histogram(ndd.tensor(image, layout="HWC")))
    assert counts.shape == (2, 256)
    assert [counts[0, 0], counts[1, 9], counts[1, 255], counts.sum()] == [2, 1, 1, 4]


def test_floats_are_refused() -> None:
    with pytest.raises(RuntimeError, match="histograms are of uint8"):
        histogram(ndd.tensor(np.zeros((2, 2, 3), np.float32), layout="HWC"))
