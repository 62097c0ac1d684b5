"""audio_resample: rates, lengths, types and what a tone becomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import penstock.dynamic as ndd
from ops.audio.sounds import snr, tone
from ops.promises import check_operator

TYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float32)


def signals(dtype=np.float32, channels=None, lengths=(400, 1, 250)):
    """Tones over most of the range of a type."""
    made = []
    for n in lengths:
        wave = 0.9 * tone(n, channels or 1)
        wave = wave if channels else wave[:, 0]
        if dtype != np.float32:
            info = np.iinfo(dtype)
            wave = wave * info.max if info.min else (wave + 1) * (info.max / 2)
        made.append(wave.astype(dtype))
    return made


def resampled(signal, **arguments):
    return np.asarray(ndd.audio_resample(ndd.tensor(np.asarray(signal)), **arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        {"in_rate": 44100.0, "out_rate": 16000.0},
        {"in_rate": 16000.0, "out_rate": 44100.0, "quality": 0.0},
        {"scale": 0.777, "quality": 100.0},
        {"scale": 1.0},
        {"scale": 0.0},
        {"out_length": 333},
        {"in_rate": 3.0, "out_rate": 2.0, "quality": 20.0},
    ],
)
@pytest.mark.parametrize("channels", [None, 1, 3])
def test_resampling_keeps_the_promises(arguments, channels):
    check_operator("audio_resample", signals(channels=channels), layout=None, atol=2e-6, **arguments)


@pytest.mark.parametrize("to", [None, *TYPES])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_becomes_every_other(dtype, to):
    arguments = {} if to is None else {"dtype": ndd.dtype(to)}
    kind = np.dtype(to or dtype)
    units = 1 if kind.itemsize < 4 else 1e-6 * np.iinfo(kind).max if kind.kind != "f" else 1e-6
    (made, *_) = check_operator("audio_resample", signals(dtype), layout=None, scale=1.5, atol=units, **arguments)
    assert made.dtype == kind


def test_samples_may_have_rates_of_their_own():
    for each in ({"scale": [0.5, 1.0, 2.0]}, {"in_rate": [1.0, 2.0, 3.0], "out_rate": [3.0, 2.0, 1.0]}):
        check_operator("audio_resample", signals(), layout=None, per_sample=each, atol=2e-6)
    made = check_operator("audio_resample", signals(), layout=None, per_sample={"out_length": [10, 3, 0]}, atol=2e-6)
    assert [len(each) for each in made] == [10, 3, 0]


def test_numbers_by_eye():
    assert resampled(np.float32([1, 2, 3]), scale=1.0).tolist() == [1, 2, 3]
    assert resampled(np.float32([1, 0, 0, 0]), scale=2.0)[::2].tolist() == [1, 0, 0, 0]
    assert resampled(np.float32([1, 2, 3, 4]), in_rate=2.0, out_rate=1.0).tolist() == [1, 3]
    assert resampled(np.int16([-32768, 0, 32767]), scale=1.0, dtype=ndd.int8).tolist() == [-127, 0, 127]
    assert resampled(np.uint8([0, 255]), scale=1.0, dtype=ndd.float32).tolist() == [-1, 1]
    assert resampled(np.float32([-2, 2]), scale=1.0, dtype=ndd.int16).tolist() == [-32768, 32767]
    # Half a sample behind an impulse: sinc(1/2), under a window 16 + 1/64 wide.
    expected = 2 / np.pi * (0.5 + 0.5 * np.cos(np.pi * 0.5 / (16 + 1 / 64)))
    assert_allclose(resampled(np.eye(1, 64, 32, dtype=np.float32)[0], scale=2.0)[65], expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("n", "rates", "made"),
    [(1000, (44100, 16000), 363), (999, (3, 1), 333), (1001, (3, 1), 334), (441, (44100, 48000), 480), (7, (2, 1), 4)],
)
def test_a_result_is_as_long_as_its_last_sample_needs(n, rates, made):
    assert len(resampled(np.zeros(n, np.float32), in_rate=float(rates[0]), out_rate=float(rates[1]))) == made


@pytest.mark.parametrize(("rate", "to"), [(8000, 16000), (16000, 8000), (44100, 16000), (16000, 44100), (48000, 44100)])
@pytest.mark.parametrize(("quality", "least"), [(0, 40), (50, 75), (100, 80)])
def test_a_tone_stays_a_tone(rate, to, quality, least):
    signal = tone(8000, 2, frequency=500, rate=rate).astype(np.float32)
    made = resampled(signal, in_rate=rate, out_rate=to, quality=quality)
    pure = tone(len(made), 2, frequency=500, rate=to)
    assert snr(made[300:-300], pure[300:-300]) > least


def test_layouts_are_kept():
    made = ndd.audio_resample(ndd.tensor(np.zeros((4, 2), np.float32), layout="tc"), scale=2.0)
    assert (made.layout, made.shape) == ("tc", (8, 2))


@pytest.mark.parametrize("shape", [(0,), (0, 2), (5, 0)])
def test_signals_without_elements_stay_so(shape):
    made = resampled(np.zeros(shape, np.float32), scale=2.0)
    assert made.shape == (2 * shape[0], *shape[1:])


def test_nan_and_infinity_stay_where_they_are():
    signal = np.zeros(200, np.float32)
    signal[100] = np.nan
    made = resampled(signal, in_rate=2.0, out_rate=3.0)
    assert np.isnan(made[150])
    assert not np.isnan(np.r_[made[:125], made[175:]]).any()
    assert np.isinf(resampled(np.float32([np.inf, 0]), scale=1.0)[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "No resampling factor specified!"),
        ({"in_rate": 5.0}, "`in_rate` and `out_rate` must be specified together"),
        ({"out_rate": 5.0}, "`in_rate` and `out_rate` must be specified together"),
        ({"scale": 2.0, "out_length": 5}, "cannot be used together"),
        ({"scale": 2.0, "in_rate": 1.0, "out_rate": 2.0}, "cannot be used together"),
        ({"in_rate": 0.0, "out_rate": 1.0}, "Input sampling rates must be positive, got 0"),
        ({"in_rate": -1.0, "out_rate": 1.0}, "Input sampling rates must be positive, got -1"),
        ({"in_rate": 1.0, "out_rate": -1.0}, "`out_rate` must be non-negative and finite, got -1"),
        ({"scale": -1.0}, "`scale` must be non-negative and finite, got -1"),
        ({"scale": float("inf")}, "`scale` must be non-negative and finite, got inf"),
        ({"out_length": -1}, "`out_length` must be non-negative and finite, got -1"),
        ({"scale": 1.0, "quality": 101.0}, "`quality` out of range: 101"),
        ({"scale": 1.0, "dtype": ndd.float64}, "Unsupported output type: double"),
        ({"scale": 1e12}, "there would be"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        resampled(np.zeros(4, np.float32), **arguments)


@pytest.mark.parametrize("values", [{"in_rate": [1.0, 0.0], "out_rate": [1.0, 1.0]}, {"scale": [1.0, -1.0]}])
def test_rates_of_samples_are_checked_too(values):
    batch = ndd.batch([np.zeros(4, np.float32)] * 2)
    with pytest.raises(RuntimeError, match=r"must be positive, got 0|cannot be negative or infinite, got -1"):
        ndd.audio_resample(batch, **{name: ndd.batch(each) for name, each in values.items()}).evaluate()


@pytest.mark.parametrize("signal", [np.float32(1), np.zeros((2, 2, 2), np.float32), np.zeros(4), np.zeros(4, np.int64)])
def test_what_is_no_signal_is_refused(signal):
    with pytest.raises(RuntimeError, match=r"a signal has an axis of time|Unsupported output type"):
        resampled(signal, scale=1.0)


def test_nothing_does_not_become_something():
    with pytest.raises(RuntimeError, match="a signal without samples cannot become one with samples"):
        resampled(np.zeros(0, np.float32), out_length=7)
    with pytest.raises(ValueError, match="batch size"):
        ndd.audio_resample(ndd.batch([np.zeros(4, np.float32)] * 2), scale=ndd.batch([1.0] * 3))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_signal_at_any_rate(data):
    dtype = data.draw(st.sampled_from(TYPES))
    channels = data.draw(st.sampled_from([None, 1, 2]))
    lengths = data.draw(st.lists(st.integers(1, 300), min_size=1, max_size=3))
    rate = st.sampled_from([1.0, 0.3, 2.0, 8000.0, 11025.0, 16000.0, 44100.0, 44101.5])
    low, high = sorted((data.draw(rate), data.draw(rate)))
    if high / low > 6:
        high = low * 5.1
    rates = data.draw(st.permutations([low, high]))
    kind = np.dtype(dtype)
    units = 1 if kind.itemsize < 4 else 4e-6 * np.iinfo(kind).max if kind.kind != "f" else 4e-6
    check_operator(
        "audio_resample",
        signals(dtype, channels, lengths),
        layout=None,
        atol=units,
        in_rate=rates[0],
        out_rate=rates[1],
        quality=float(data.draw(st.integers(0, 100))),
    )
