"""Calls like earlier ones, whose call objects and results are made natively."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock.dynamic.calls import call as calling
from penstock.engine.planar_warning import planar_warning

PIXELS = np.arange(2 * 4 * 6 * 3, dtype=np.uint8).reshape(2, 4, 6, 3)


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operators of calls that were read by Python code since."""
    read: list[str] = []
    make = calling._call_anew
    monkeypatch.setattr(calling, "_call_anew", lambda op, *rest: read.append(op.path) or make(op, *rest))
    return read


def photos(layout: str | None = "HWC") -> ndd.Batch:
    return ndd.batch(PIXELS, layout=layout)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ndd.flip(photos()),
        lambda: ndd.flip(ndd.flip(photos(), vertical=1), horizontal=0),
        lambda: ndd.flip(ndd.tensor(PIXELS[0], layout="HWC")),
        lambda: ndd.flip(photos(), horizontal=ndd.batch([0, 1])),
        lambda: ndd.flip(photos(), horizontal=ndd.random.coin_flip(batch_size=2)),
        lambda: ndd.crop(photos(), crop=[2, 3], crop_pos_x=ndd.random.uniform(range=[0, 1], batch_size=2)),
        lambda: photos() + 1,
        lambda: ndd.random.uniform(batch_size=4, rng=ndd.random.RNG(1)),
        lambda: ndd.resize(photos(), size=[3, 3], batch_size=2),
        lambda: ndd.flip(ndd.as_batch(PIXELS.copy(), layout="HWC")),
    ],
    ids=["batch", "pending", "tensor", "data", "drawn", "two", "arithmetic", "generator", "size", "external"],
)
@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu])
def test_they_are_made_without_reading_them_anew(make: Any, mode: ndd.EvalMode, anew: list[str]) -> None:
    made = []
    with mode:
        for _ in range(3):
            ndd.random.set_seed(3)
            before = len(anew)
            made.append(make())
            found = np.asarray(made[-1])
        assert len(anew) == before
    assert all(np.array_equal(np.asarray(each), found) for each in made)
    assert made[-1].dtype == made[0].dtype
    assert made[-1].layout == made[0].layout


def test_a_batch_of_another_size_is_refused_as_the_first_time() -> None:
    for _ in range(2):
        ndd.flip(photos(), horizontal=ndd.batch([0, 1])).evaluate()
    with pytest.raises(ValueError, match="Inconsistent batch size: 3 != 2") as caught:
        ndd.flip(photos(), horizontal=ndd.batch([0, 1, 0]))
    assert "in flip, called at" in told(caught.value)
    assert "test_repeated_calls.py" in told(caught.value)
    with pytest.raises(ValueError, match="Inconsistent batch size"):
        ndd.flip(photos(), batch_size=5)


@pytest.mark.parametrize("size", ["2", -1, 2.0, 1 << 80])
def test_batch_sizes_that_are_none_are_refused(size: Any) -> None:
    ndd.random.uniform(batch_size=2).evaluate()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        ndd.random.uniform(batch_size=size).evaluate()


def test_memory_of_the_program_is_read_before_the_call_returns() -> None:
    for _ in range(3):
        array = PIXELS.copy()
        made = ndd.flip(ndd.as_batch(array, layout="HWC"))
        array[:] = 0
        assert np.array_equal(made.numpy(), PIXELS[:, :, ::-1])


def test_numbers_in_memory_of_the_program_are_read_before_the_call_returns() -> None:
    for _ in range(3):
        flags = np.array([0, 1], np.int32)
        made = ndd.flip(photos(), horizontal=ndd.as_batch(flags))
        flags[:] = 0
        assert np.array_equal(made.numpy(), [PIXELS[0], PIXELS[1][:, ::-1]])


def test_a_call_on_one_that_failed_raises_its_error() -> None:
    good = ndd.batch(np.zeros((2, 9, 9, 1), np.uint8), layout="HWC")
    bad = ndd.batch(np.zeros((2, 3, 3, 1), np.uint8), layout="HWC")
    for _ in range(2):
        ndd.flip(ndd.crop(good, crop=[5, 5])).evaluate()
    failed = ndd.crop(bad, crop=[5, 5])
    with pytest.raises(RuntimeError):
        failed.evaluate()
    with pytest.raises(RuntimeError) as caught:
        ndd.flip(failed).evaluate()
    assert "in crop, sample 0" in told(caught.value)


def test_results_of_another_context_are_run_there() -> None:
    for _ in range(2):
        ndd.flip(ndd.flip(photos())).evaluate()
    other: list[ndd.Batch] = []

    def call() -> None:
        with ndd.EvalMode.deferred:
            other.append(ndd.flip(photos()))

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert np.array_equal(ndd.flip(other[0]).numpy(), PIXELS)


def test_arrays_that_may_be_planar_are_still_looked_at() -> None:
    planar = np.zeros((2, 3, 20, 20), np.uint8)
    ndd.flip(ndd.batch(np.zeros((2, 4, 20, 20), np.uint8))).evaluate()
    before, planar_warning.pending = planar_warning.pending, True
    try:
        with pytest.warns(UserWarning, match="3 rows and 20 channels"):
            ndd.flip(ndd.batch(planar)).evaluate()
    finally:
        planar_warning.pending = before


def test_a_keyword_that_is_unknown_is_refused_as_the_first_time() -> None:
    ndd.flip(photos(), horizontal=1).evaluate()
    with pytest.raises(TypeError, match="did you mean 'horizontal'"):
        ndd.flip(photos(), horizontl=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'rng'"):
        ndd.flip(photos(), rng=None)


def test_names_made_by_a_program_are_found_like_those_in_its_text(anew: list[str]) -> None:
    for _ in range(2):
        before = len(anew)
        made = ndd.flip(photos(), **{"".join(["hori", "zontal"]): 0, "".join(["ver", "tical"]): 1})
    assert len(anew) == before
    assert np.array_equal(made.numpy(), PIXELS[:, ::-1])


def test_an_intermediate_that_nobody_holds_is_not_stored() -> None:
    with ndd.EvalMode.deferred:
        for _ in range(2):
            flipped = ndd.flip(photos())
            call = flipped._call
            made = ndd.cast(flipped, dtype=ndd.float32)
            del flipped
            made.evaluate()
    assert call is not None
    assert call.consumers == 1
    assert call.outputs is None
