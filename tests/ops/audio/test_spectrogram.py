"""spectrogram and power_spectrum: frequencies against their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_operator

CLOSE = {"rtol": 1e-4, "atol": 1e-4}


def noise(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def spectrogram(signal, **arguments):
    return np.asarray(ndd.spectrogram(ndd.tensor(signal), **arguments))


def by_definition(signal, nfft, step, window):
    """librosa's `stft(center=True, pad_mode="reflect")`, squared, for a window that fills the transform."""
    padded = np.pad(signal.astype(np.float64), nfft // 2, mode="reflect")
    columns = [padded[t : t + nfft] * window for t in range(0, len(padded) - nfft + 1, step)]
    turns = np.exp(-2j * np.pi * np.outer(np.arange(nfft // 2 + 1), np.arange(nfft)) / nfft)
    return np.abs(turns @ np.transpose(columns)) ** 2


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"nfft": 512, "window_length": 400, "window_step": 160},
        {"nfft": 400, "window_length": 400, "window_step": 160},
        {"nfft": 601, "window_length": 33, "window_step": 50, "power": 1},
        {"window_length": 1021, "window_step": 300, "reflect_padding": False},
        {"window_length": 60, "window_step": 7, "center_windows": False},
        {"window_length": 4, "window_step": 9, "window_fn": [1.0, 2.0, -1.0, 0.5]},
    ],
)
def test_spectrogram_keeps_the_promises(arguments):
    samples = [noise(n, seed=n) for n in (1000, 77, 6400)]
    made = check_operator("spectrogram", samples, layout=None, **arguments, **CLOSE)
    for sample, rows in zip(samples, made, strict=True):
        np.testing.assert_array_equal(spectrogram(sample, layout="tf", **arguments), rows.T)


@pytest.mark.parametrize("nfft", [64, 100, 31])
def test_it_is_the_transform_of_every_window(nfft):
    signal, window = noise(500), np.random.default_rng(1).random(nfft)
    made = spectrogram(signal, nfft=nfft, window_length=nfft, window_step=16, window_fn=window.tolist())
    expected = by_definition(signal, nfft, 16, window.astype(np.float32))
    np.testing.assert_allclose(made, expected[:, : made.shape[1]], rtol=1e-4, atol=1e-3)


def test_a_tone_shows_at_its_frequency():
    tone = np.sin(2 * np.pi * 1000 / 16000 * np.arange(16000)).astype(np.float32)
    made = spectrogram(tone, nfft=512, window_length=400, window_step=160)
    assert made.shape == (257, 101)
    assert set(made[:, 5:-5].argmax(0)) == {32}  # 1000 Hz of 8000 in 256 steps


def test_the_default_window_is_hanns_sampled_between():
    impulse = np.zeros(9, np.float32)
    impulse[4] = 1
    made = spectrogram(impulse, window_length=8, window_step=1, reflect_padding=False, power=1)
    hann = np.sin(np.pi * (np.arange(8) + 0.5) / 8) ** 2
    np.testing.assert_allclose(made[:, 1:9], np.tile(hann[::-1], (5, 1)), rtol=1e-5, atol=1e-6)


def test_short_signals_are_mirrored_as_often_as_needed():
    ones = {"window_length": 8, "window_step": 100, "window_fn": [1.0] * 8, "power": 1}
    assert spectrogram(np.float32([1, 2, 3]), **ones)[0, 0] == 1 + 2 + 3 + 2 + 1 + 2 + 3 + 2
    assert spectrogram(np.float32([1, 2, 3]), **ones, reflect_padding=False)[0, 0] == 6
    assert spectrogram(np.float32([5]), **ones)[0, 0] == 40


def test_without_centring_only_whole_windows_count_but_for_the_first():
    ones = {"window_length": 8, "window_fn": [1.0] * 8, "power": 1, "center_windows": False}
    signal = np.arange(1, 20, dtype=np.float32)
    assert spectrogram(signal, window_step=4, **ones)[0].tolist() == [36, 68, 100]
    assert spectrogram(signal[:6], window_step=4, **ones)[0].tolist() == [21]
    with pytest.raises(RuntimeError, match="4 samples is too short for a window of 8"):
        spectrogram(signal[:4], window_step=4, **ones)


def test_silence_next_to_noise_stays_silent():
    signal = np.concatenate([noise(8000), np.zeros(8000, np.float32)])
    assert np.all(spectrogram(signal, window_length=400, window_step=160)[:, 53:] == 0)


def test_a_nan_reaches_only_the_windows_that_see_it():
    signal = noise(4000)
    signal[1000] = np.nan
    made = spectrogram(signal, window_length=100, window_step=50)
    assert np.flatnonzero(np.isnan(made).any(0)).tolist() == [20, 21]
    assert np.isnan(made[:, 20:22]).all()


@pytest.mark.parametrize("shape", [(300,), (300, 1), (1, 300), (1, 300, 1)])
def test_axes_of_one_element_do_not_matter(shape):
    np.testing.assert_array_equal(spectrogram(noise(300).reshape(shape)), spectrogram(noise(300)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window_length": 0}, "window_length must be at least 1, got 0"),
        ({"window_step": -3}, "window_step must be 1 to 2147483647, got -3"),
        ({"window_step": 1 << 62}, "window_step must be 1 to"),
        ({"nfft": 100}, "a window of 512 samples does not fit in nfft=100"),
        ({"nfft": 0}, "does not fit in nfft=0"),
        ({"nfft": 1 << 30}, "at most 67108864"),
        ({"power": 3}, "power must be 1"),
        ({"layout": "FT"}, "layout"),
        ({"window_fn": [1.0, 2.0]}, "got 2 for 512"),
    ],
)
def test_bad_arguments_fail_at_the_call(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.spectrogram(ndd.tensor(noise(1000)), **arguments)


@pytest.mark.parametrize("signal", [noise(0), noise(100, 2), noise(3, 0)])
def test_what_is_no_signal_is_refused(signal):
    with pytest.raises(RuntimeError, match="signal"):
        ndd.spectrogram(ndd.batch([signal])).evaluate()


@pytest.mark.parametrize("name", ["spectrogram", "power_spectrum"])
@pytest.mark.parametrize("dtype", [np.int16, np.float64, np.float16])
def test_other_types_are_refused(name, dtype):
    with pytest.raises(RuntimeError, match="cast it to float32"):
        getattr(ndd, name)(ndd.tensor(np.ones(100, dtype)))


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("arguments", [{}, {"nfft": 16, "power": 1}, {"nfft": 5}, {"nfft": -1}])
def test_power_spectrum_keeps_the_promises(axis, arguments):
    samples = [noise(*shape) for shape in ((6, 9, 11), (1, 20, 33), (17, 2, 3))]
    check_operator("power_spectrum", samples, layout=None, axis=axis, **arguments, **CLOSE)


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 11, 13, 16, 17, 19, 22, 26, 60, 97, 127, 254, 1021, 4096, 40000])
def test_every_length_has_a_spectrum(n, count):
    lines = noise(count, n)
    made = np.asarray(ndd.power_spectrum(ndd.tensor(lines)))
    expected = np.abs(np.fft.rfft(lines.astype(np.float64))) ** 2
    np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-6 * expected.max())


def test_power_spectrum_has_limits():
    with pytest.raises(RuntimeError, match="axis 2 is out of range"):
        ndd.power_spectrum(ndd.tensor(noise(3, 4)), axis=2)
    with pytest.raises(RuntimeError, match="axis -1 is out of range"):
        ndd.power_spectrum(ndd.tensor(1.0))
    with pytest.raises(RuntimeError, match="0 elements"):
        ndd.power_spectrum(ndd.tensor(noise(3, 0))).evaluate()
    with pytest.raises(RuntimeError, match="power must be"):
        ndd.power_spectrum(ndd.tensor(noise(4)), power=0)
    assert np.asarray(ndd.power_spectrum(ndd.tensor(noise(0, 8)))).shape == (0, 5)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_windows_of_any_signals_keep_the_promises(data):
    window = data.draw(st.integers(1, 70))
    arguments = {
        "window_length": window,
        "nfft": window + data.draw(st.integers(0, 40)),
        "window_step": data.draw(st.integers(1, 90)),
        "center_windows": data.draw(st.booleans()),
        "reflect_padding": data.draw(st.booleans()),
        "power": data.draw(st.sampled_from([1, 2])),
    }
    shortest = 1 if arguments["center_windows"] else window
    lengths = data.draw(st.lists(st.integers(shortest, 400), min_size=1, max_size=3))
    check_operator("spectrogram", [noise(n, seed=n) for n in lengths], layout=None, **arguments, **CLOSE)
