"""The functions of ndd as type checkers see them: mypy reads this file, and it runs."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types


def test_tensors_make_tensors() -> None:
    image = ndd.tensor(np.zeros((4, 6, 3), np.uint8), layout="HWC")
    flipped: ndd.Tensor = ndd.flip(image, horizontal=ndd.tensor(1))
    array: ndd.Tensor = ndd.flip(np.zeros((4, 6, 3), np.uint8))
    number: ndd.Tensor = ndd.random.uniform(range=[0, 1])
    angle: ndd.Tensor = ndd.math.sin(1.0)
    assert all(isinstance(each, ndd.Tensor) for each in (flipped, array, number, angle))


def test_a_batch_anywhere_makes_a_batch() -> None:
    image = ndd.tensor(np.zeros((4, 6, 3), np.uint8), layout="HWC")
    images = ndd.batch([image, image])
    resized: ndd.Batch = ndd.resize(images, size=[2, 3], interp_type=types.INTERP_CUBIC)
    repeated: ndd.Batch = ndd.flip(image, batch_size=2)
    each: ndd.Batch = ndd.flip(image, horizontal=ndd.batch([0, 1]))
    larger: ndd.Batch = ndd.math.max(ndd.random.uniform(batch_size=2), 0.5)
    assert all(isinstance(each, ndd.Batch) for each in (resized, repeated, each, larger))


def test_several_results_are_a_tuple() -> None:
    corner, extent = ndd.random_crop_generator(ndd.batch([[480, 640]]))
    both: tuple[ndd.Batch, ndd.Batch] = (corner, extent)
    assert all(isinstance(each, ndd.Batch) for each in both)


def test_mistakes_are_seen() -> None:
    image = ndd.tensor(np.zeros((4, 6, 3), np.uint8), layout="HWC")
    with pytest.raises(AttributeError):
        ndd.flipp  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(TypeError):
        ndd.flip(image, horizntal=1)  # type: ignore[call-overload]
    with pytest.raises(RuntimeError):
        ndd.crop(image, crop=[2, 2], out_of_bounds_policy="nothing")  # type: ignore[call-overload]
