"""Crops and flips that the step behind takes from where the samples lie, without a copy in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock import _native
from penstock.engine.backends.backend import Task
from penstock.engine.backends.native import Native
from penstock.engine.invocation import ready
from penstock.engine.pending import pending

MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
FLAGS = np.array([0, 1, 0, 1], np.int32)
PLACES = np.array([0, 0.3, 0.8, 1], np.float32)


def images(height: int = 40, width: int = 44, channels: int = 3, dtype: Any = np.uint8) -> ndd.Batch:
    pixels = np.random.default_rng(0).integers(0, 256, (4, height, width, channels)).astype(dtype)
    return ndd.batch(pixels, layout="HWC")


def crop(batch: Any, height: int, width: int, **arguments: Any) -> Any:
    return ndd.crop(batch, crop=[height, width], crop_pos_x=ndd.batch(PLACES), crop_pos_y=0.4, **arguments)


def flip(batch: Any, vertical: Any = 0) -> Any:
    return ndd.flip(batch, horizontal=ndd.batch(FLAGS), vertical=vertical)


def normalize(batch: Any, **arguments: Any) -> Any:
    return ndd.crop_mirror_normalize(batch, **{"mean": MEAN, "std": STD} | arguments)


CHAINS: dict[str, Any] = {
    "crop, flip": lambda batch: normalize(flip(crop(batch, 28, 28))),
    "widths of whole and of broken vectors": lambda batch: normalize(flip(crop(batch, 7, 16))),
    "as narrow as a vector": lambda batch: normalize(flip(crop(batch, 7, 8))),
    "narrower than a vector": lambda batch: normalize(flip(crop(batch, 7, 5))),
    "between two vectors": lambda batch: normalize(flip(crop(batch, 9, 13))),
    "upside down": lambda batch: normalize(flip(crop(batch, 30, 33), vertical=1)),
    "flip, then crop": lambda batch: normalize(crop(flip(batch, vertical=1), 21, 27)),
    "a crop of a mirrored crop, mirrored": lambda batch: normalize(
        flip(crop(batch, 30, 40)), crop=[20, 24], crop_pos_x=0.2, mirror=ndd.batch(1 - FLAGS)
    ),
    "a border": lambda batch: normalize(flip(crop(batch, 12, 14)), crop=[20, 19], out_of_bounds_policy="pad"),
    "a repeated border": lambda batch: normalize(
        flip(crop(batch, 12, 14)), crop=[20, 19], out_of_bounds_policy="reflect_101", mirror=1
    ),
    "slice": lambda batch: normalize(ndd.slice(batch, start=[3, 5], end=[20, 30], axes=[0, 1])),
    "pixels stay together": lambda batch: normalize(flip(crop(batch, 28, 28)), output_layout="HWC"),
    "more channels": lambda batch: normalize(flip(crop(batch, 28, 28)), pad_output=True),
    "halves": lambda batch: normalize(flip(crop(batch, 28, 28)), dtype=ndd.float16),
}  # fmt: skip


def step_groups(value: Any) -> list[tuple[int, int]]:
    """First and last of the steps that did their work together."""
    stage = pending(value._call)
    pool = stage[0].context.pool
    task = Task(stage, 0, [ready(operand) for operand in stage[0].inputs], pool)
    assert Native().accepts(task) == len(stage)
    times = _native.ChainTimes()
    _native.run(pool, ready(stage[0].inputs[0]), 4, task.steps, times)
    return [(first, last) for first, last, *_ in times.steps()]


def arrays(value: Any) -> list[Any]:
    return [np.asarray(each) for each in value.evaluate().tensors]


def both_ways(make: Any, batch: Any) -> tuple[list[Any], list[Any]]:
    with ndd.EvalMode.deferred:
        together = arrays(make(batch))
    with ndd.EvalMode.sync_cpu:
        return together, arrays(make(batch))


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS.keys())
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_part_is_normalised_as_if_it_had_been_stored(make: Any, dtype: Any) -> None:
    together, apart = both_ways(make, images(dtype=dtype))
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS.keys())
def test_crops_and_flips_are_not_stored(make: Any) -> None:
    with ndd.EvalMode.deferred:
        value = make(images())
        assert step_groups(value) == [(0, len(pending(value._call)) - 1)]


def test_planes_are_taken_in_parts_too() -> None:
    planes = ndd.batch(np.random.default_rng(0).integers(0, 256, (4, 3, 20, 30), np.uint8), layout="CHW")
    together, apart = both_ways(lambda batch: normalize(flip(crop(batch, 10, 12), vertical=1)), planes)
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)


def chosen_channels(batch: Any) -> Any:
    return normalize(ndd.slice(batch, start=[1], end=[3], axes=[2]), mean=[100.0, 90.0], std=[2.0, 3.0])


def padded(batch: Any) -> Any:
    return normalize(crop(batch, 50, 20, out_of_bounds_policy="pad", fill_values=[1, 2, 3]))


@pytest.mark.parametrize("make", [chosen_channels, padded])
def test_what_is_no_part_or_cannot_be_taken_so_is_stored(make: Any) -> None:
    together, apart = both_ways(make, images())
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)
    with ndd.EvalMode.deferred:
        assert step_groups(make(images())) == [(0, 0), (1, 1)]


def test_an_error_names_the_step_that_it_is_of() -> None:
    places = ndd.batch(np.array([0, 0.5, 2, 1], np.float32))
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="out of range") as raised:
        normalize(flip(ndd.crop(images(), crop=[8, 8], crop_pos_x=places))).evaluate()
    assert "in crop, sample 2" in told(raised.value)
