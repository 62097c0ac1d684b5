"""Stages that feed one another run in one native pass, which stores what the program holds on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.operators import inverted
from messages import told
from penstock import _native
from penstock.engine import events, joined_stages

PHOTOS = [np.arange(h * w * 3, dtype=np.uint8).reshape(h, w, 3) for h, w in ((5, 7), (8, 4), (3, 3))]
SOUNDS = [np.random.default_rng(n).standard_normal(n).astype(np.float32) for n in (3000, 5000, 1700)]


@pytest.fixture(autouse=True)
def joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_stages, "_JOINED_FROM_BYTES", 0)


@pytest.fixture
def stages() -> Iterator[list[tuple[str, ...]]]:
    """The operators of each stage that has run."""
    seen: list[tuple[str, ...]] = []
    stop = events.subscribe(lambda run: seen.append(run.operators), events.StageRun)
    yield seen
    stop()


def arrays(value: Any) -> list[Any]:
    return [np.asarray(each).copy() for each in value.tensors]


def alone(call: Any, value: Any, **arguments: Any) -> list[Any]:
    """What a call makes of arrays, with no other call around."""
    return arrays(call(ndd.batch(value, layout="HWC" if value[0].ndim == 3 else None), **arguments))


def same(found: list[Any], wanted: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


def log_mel(sounds: Any, layout: str) -> tuple[Any, Any, Any]:
    with ndd.EvalMode.deferred:
        power = ndd.spectrogram(ndd.batch(sounds), nfft=128, window_length=100, window_step=40, layout=layout)
        mel = ndd.mel_filter_bank(power, sample_rate=16000.0, nfilter=20)
        features = ndd.pad(ndd.to_decibels(mel))
    return power, mel, features


@pytest.mark.parametrize("layout", ["ft", "tf"])
def test_what_is_held_is_stored_on_the_way(monkeypatch, stages, layout):
    power, mel, features = log_mel(SOUNDS, layout)
    found = [arrays(value) for value in (features, mel, power)]
    assert stages == [("spectrogram", "mel_filter_bank", "to_decibels"), ("pad",)]
    monkeypatch.setattr(joined_stages, "_JOINED_FROM_BYTES", 1 << 60)
    power, mel, features = log_mel(SOUNDS, layout)
    assert all(same(one, arrays(other)) for one, other in zip(found, (features, mel, power), strict=True))
    assert stages[2:] == [("spectrogram",), ("mel_filter_bank",), ("to_decibels", "pad")]


def test_results_have_memory_of_their_own(stages):
    with ndd.EvalMode.deferred:
        bright = ndd.brightness(ndd.batch(PHOTOS, layout="HWC"), brightness=1.5)
        mirrored = ndd.flip(bright)
        turned = ndd.flip(mirrored, vertical=1, horizontal=0)
    turned.evaluate()
    assert stages == [("brightness", "flip", "flip")]
    np.asarray(bright.tensors[0])[:] = 0
    assert same(arrays(mirrored), alone(ndd.flip, alone(ndd.brightness, PHOTOS, brightness=1.5)))
    assert same(arrays(turned), alone(ndd.flip, arrays(mirrored), vertical=1, horizontal=0))
    assert [value.layout for value in (bright, mirrored, turned)] == ["HWC"] * 3


def test_a_step_that_does_nothing_shares_no_memory():
    with ndd.EvalMode.deferred:
        bright = ndd.brightness(ndd.batch(PHOTOS, layout="HWC"), brightness=1.5)
        still = ndd.flip(bright, horizontal=0)
        mirrored = ndd.flip(still)
    mirrored.evaluate()
    before = arrays(still)
    np.asarray(bright.tensors[1])[:] = 0
    assert same(arrays(still), before)


def test_a_result_with_other_consumers_is_stored_for_them(stages):
    with ndd.EvalMode.deferred:
        bright = ndd.brightness(ndd.batch(PHOTOS, layout="HWC"), brightness=1.5)
        mirrored = ndd.flip(bright)
        turned = ndd.flip(bright, vertical=1)
        both = mirrored + turned
    made = alone(ndd.brightness, PHOTOS, brightness=1.5)
    assert same(arrays(both), [a[:, ::-1] + a[::-1, ::-1] for a in made])
    assert same(arrays(bright), made)


def test_calls_that_are_not_native_follow(stages):
    with ndd.EvalMode.deferred:
        bright = ndd.brightness(ndd.batch(PHOTOS, layout="HWC"), brightness=1.5)
        mirrored = ndd.flip(bright)
        last = inverted(mirrored)
    assert same(arrays(last), [255 - a[:, ::-1] for a in arrays(bright)])
    assert stages == [("brightness", "flip"), ("inverted",)]


def test_a_call_that_fails_leaves_the_results_before_it():
    with ndd.EvalMode.deferred:
        bright = ndd.brightness(ndd.batch(PHOTOS, layout="HWC"), brightness=1.5)
        window = ndd.crop(bright, crop=(4, 4))
        mirrored = ndd.flip(window)
    with pytest.raises(RuntimeError) as raised:
        mirrored.evaluate()
    assert "in crop, sample" in told(raised.value)
    assert same(arrays(bright), alone(ndd.brightness, PHOTOS, brightness=1.5))


def test_small_batches_are_left_apart(monkeypatch, stages):
    monkeypatch.setattr(joined_stages, "_JOINED_FROM_BYTES", 1 << 20)
    power, mel, features = log_mel(SOUNDS, "ft")
    features.evaluate()
    assert stages == [("spectrogram",), ("mel_filter_bank",), ("to_decibels", "pad")]
    del power, mel


@pytest.mark.parametrize("kept", [[1], [0, 0], [5]])
def test_only_results_before_the_last_are_kept(kept):
    samples = _native.Samples.wrap_one(PHOTOS[0])
    step = _native.ToDecibels(10.0, 0.0, 1e-8)
    with pytest.raises(ValueError, match="rising order"):
        _native.run_keeping(_native.Pool(1), samples, 1, [step, step], kept)
