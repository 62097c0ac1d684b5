"""Batches of many small images: threads take several at a time, and shapes are foretold once for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock import _native
from penstock.engine import events
from penstock.engine.context import EvalContext

N = 300
MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
PIXELS = np.random.default_rng(0).integers(0, 256, (N, 32, 32, 3), np.uint8)
X, Y = np.random.default_rng(1).random((2, N), np.float32)
FLAGS = (np.arange(N) % 3 == 0).astype(np.int32)


def windows(size: int) -> list[Any]:
    top, left = (np.floor(place * np.float64(32 - size) + 0.5).astype(int) for place in (Y, X))
    return [image[y : y + size, x : x + size] for image, y, x in zip(PIXELS, top, left, strict=True)]


def normalized(images: list[Any]) -> Any:
    mean, inverse = np.array(MEAN, np.float32), (1 / np.array(STD, np.float64)).astype(np.float32)
    return np.stack([((image.astype(np.float32) - mean) * inverse).transpose(2, 0, 1) for image in images])


def crop(size: int, **arguments: Any) -> ndd.Batch:
    places = {"crop_pos_x": ndd.batch(X), "crop_pos_y": ndd.batch(Y)} | arguments
    made: ndd.Batch = ndd.crop(ndd.batch(PIXELS, layout="HWC"), crop=[size, size], **places)
    return made


@pytest.mark.parametrize("size", [7, 8, 9, 15, 16, 17, 28, 32])
def test_crop_flip_and_normalise_are_those_of_numpy(size):
    cropped = crop(size)
    flipped = ndd.flip(cropped, horizontal=ndd.batch(FLAGS))
    made = ndd.crop_mirror_normalize(flipped, mean=MEAN, std=STD)
    plain = windows(size)
    mirrored = [image[:, ::-1] if flag else image for image, flag in zip(plain, FLAGS, strict=True)]
    assert np.array_equal(made.numpy(), normalized(mirrored))
    assert np.array_equal(cropped.numpy(), plain)
    assert np.array_equal(flipped.numpy(), mirrored)


@pytest.mark.parametrize(("size", "inner"), [(28, 9), (28, 20), (31, 9), (31, 20)])
def test_a_window_of_a_mirrored_window_is_normalised_where_it_lies(size, inner):
    made = ndd.crop_mirror_normalize(
        ndd.flip(crop(size), horizontal=ndd.batch(FLAGS), vertical=1),
        crop=[inner, inner], crop_pos_x=0.0, crop_pos_y=1.0, mirror=ndd.batch(1 - FLAGS), mean=MEAN, std=STD,
    )  # fmt: skip
    turned = [image[::-1, :: -1 if flag else 1] for image, flag in zip(windows(size), FLAGS, strict=True)]
    taken = [image[-inner:, :inner] for image in turned]
    wanted = [image if flag else image[:, ::-1] for image, flag in zip(taken, FLAGS, strict=True)]
    assert np.array_equal(made.numpy(), normalized(wanted))


def test_factors_may_differ_from_sample_to_sample():
    means = np.random.default_rng(2).uniform(90, 130, (N, 3)).astype(np.float32)
    made = ndd.crop_mirror_normalize(crop(28), mean=ndd.batch(means), std=[2.0])
    wanted = [(image - mean) / 2 for image, mean in zip(np.float32(windows(28)), means, strict=True)]
    assert np.array_equal(made.numpy(), np.transpose(wanted, (0, 3, 1, 2)))


@pytest.mark.parametrize("chained", [False, True])
def test_an_error_names_the_operator_and_the_sample(chained):
    places = X.copy()
    places[[17, 250]] = 1.5
    with ndd.EvalMode.deferred:
        if chained:
            flipped = ndd.flip(crop(30), horizontal=ndd.batch(FLAGS))
            made = ndd.crop_mirror_normalize(flipped, crop=[28, 28], crop_pos_x=ndd.batch(places))
        else:
            made = crop(28, crop_pos_x=ndd.batch(places))
    with pytest.raises(RuntimeError, match="out of range") as error:
        made.evaluate()
    assert "crop_mirror_normalize" in told(error.value) if chained else "crop" in told(error.value)
    assert "sample 17" in told(error.value)


def test_where_all_samples_fail_there_is_no_result():
    rule = _native.CropRule([0, 1], [np.full(1, 8, np.float32)] * 2, [np.full(N, 2, np.float32)] * 2, False)
    step = _native.Extract(rule, 0, _native.Border.error, np.zeros((1, 1), np.float32), -1)
    made, failures = _native.run_good(EvalContext.current().pool, _native.Samples.wrap(PIXELS), N, [step])
    assert made is None
    assert [failure.sample for failure in failures] == [*range(N)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_take_every_sample_once(threads):
    made = _native.run(
        _native.Pool(threads), _native.Samples.wrap(PIXELS), N, [_native.Flip([1], np.array([[1]], np.int32))]
    )
    assert isinstance(made, _native.Samples)
    assert np.array_equal(made.array(), PIXELS[:, :, ::-1])


def test_windows_of_volumes_have_a_size_for_each_axis_or_for_the_last_two():
    volumes = np.random.default_rng(3).integers(0, 256, (5, 6, 8, 9, 2), np.uint8)
    depths = ndd.batch(np.linspace(0, 1, 5, dtype=np.float32))
    deep = ndd.crop(ndd.batch(volumes, layout="DHWC"), crop=[2, 4, 4], crop_pos_z=depths)
    assert [*map(np.shape, deep.tensors)] == [(2, 4, 4, 2)] * 5
    assert np.array_equal(np.asarray(deep.tensors[4]), volumes[4, 4:, 2:6, 3:7])
    flat = ndd.crop(ndd.batch(volumes, layout="DHWC"), crop=[4, 4], crop_pos_z=depths)
    assert np.array_equal(flat.numpy(), volumes[:, :, 2:6, 3:7])


def test_arguments_that_are_not_single_numbers_are_refused_as_ever():
    with pytest.raises(RuntimeError, match="one number per sample"):
        crop(28, crop_pos_x=ndd.batch(np.zeros((N, 2), np.float32))).evaluate()
    with pytest.raises(ValueError, match="must be a number, got NaN"):
        crop(28, crop_pos_x=ndd.batch(np.full(N, np.nan, np.float32))).evaluate()
    assert np.array_equal(crop(28, crop_pos_x=ndd.batch(X[:, None])).numpy(), windows(28))
    assert np.array_equal(crop(28, crop_pos_x=ndd.batch(X.astype(np.float64))).numpy(), windows(28))


def test_draws_that_a_call_needs_leave_the_queue_with_it():
    context = EvalContext.current()
    context.evaluate_all()
    x = ndd.random.uniform(range=[0.0, 1.0], batch_size=N)
    cropped = ndd.crop(ndd.as_batch(PIXELS, layout="HWC"), crop=[28, 28], crop_pos_x=x)  # memory of the program's: now
    assert cropped.evaluate().batch_size == N
    assert not context._queue


def test_draws_that_nobody_needs_are_not_made():
    seen: list[tuple[str, ...]] = []
    stop = events.subscribe(lambda run: seen.append(run.operators), events.StageRun)
    try:
        with ndd.EvalMode.deferred:
            batch, coin = ndd.batch(PIXELS, layout="HWC"), ndd.random.coin_flip(batch_size=N)
            flipped = ndd.flip(batch, horizontal=coin)
            ndd.random.uniform(batch_size=N)
        flipped.evaluate()
    finally:
        stop()
    assert seen == [("random.coin_flip",), ("flip",)]


def test_flags_of_an_axis_are_one_for_each_sample_or_one_for_all():
    flags = [np.zeros(1, np.int32), np.ones(N, np.int32)]
    made = _native.run(_native.Pool(1), _native.Samples.wrap(PIXELS), N, [_native.Flip.of_columns([0, 1], flags)])
    assert isinstance(made, _native.Samples)
    assert np.array_equal(made.array(), PIXELS[:, :, ::-1])
    with pytest.raises(ValueError, match="a flag for every sample"):
        _native.Flip.of_columns([0, 1], [np.zeros(2, np.int32), np.ones(3, np.int32)])
