"""mel_filter_bank, and the chain from a signal to mel decibels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.promises import check_gpu, check_operator

CLOSE = {"rtol": 1e-4, "atol": 1e-6}


def powers(*shape, seed=0):
    return np.random.default_rng(seed).random(shape).astype(np.float32)


def weights(bins, **arguments):
    """The filters themselves: what they make of single frequencies."""
    return np.asarray(ndd.mel_filter_bank(ndd.tensor(np.eye(bins, dtype=np.float32)), **arguments))


def librosa_filters(sample_rate, nfft, count, low, high, htk, normalize):
    """The definition of librosa.filters.mel, word for word in NumPy."""
    knee, step = 15.0, np.log(6.4) / 27.0

    def to_mel(hz):
        if htk:
            return 2595.0 * np.log10(1.0 + hz / 700.0)
        return hz * 3 / 200 if hz < 1000 else knee + np.log(hz / 1000.0) / step

    mels = np.linspace(to_mel(low), to_mel(high), count + 2)
    if htk:
        hz = 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    else:
        hz = np.where(mels < knee, mels * 200 / 3, 1000.0 * np.exp(step * (mels - knee)))
    ramps = hz[:, None] - np.linspace(0, sample_rate / 2, nfft // 2 + 1)
    widths = np.diff(hz)
    made = np.array(
        [np.maximum(0, np.minimum(-ramps[i] / widths[i], ramps[i + 2] / widths[i + 1])) for i in range(count)]
    )
    return made * (2.0 / (hz[2:] - hz[:-2]))[:, None] if normalize else made


@pytest.mark.parametrize("htk", [False, True])
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize(("low", "high"), [(0.0, 8000.0), (300.0, 3400.0), (1500.0, 7999.0)])
def test_the_filters_are_those_of_librosa(htk, normalize, low, high):
    expected = librosa_filters(16000, 512, 80, low, high, htk, normalize)
    formula = "htk" if htk else "slaney"
    made = weights(
        257, nfilter=80, sample_rate=16000, freq_low=low, freq_high=high, mel_formula=formula, normalize=normalize
    )
    np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-4 * expected.max())


@pytest.mark.parametrize(
    ("layout", "shape"), [("ft", (257, 40)), ("tf", (40, 257)), ("f", (257,)), ("Cft", (2, 65, 7)), ("tfC", (9, 33, 2))]
)
def test_every_layout_keeps_the_promises(layout, shape):
    arguments = {"nfilter": 20, "sample_rate": 16000.0, "layout": layout}
    check_operator("mel_filter_bank", [powers(*shape), powers(*shape, seed=1)], **arguments, **CLOSE)


def test_samples_may_have_spectra_of_different_sizes():
    samples = [powers(257, 20), powers(129, 5), powers(257, 3), powers(2, 4)]
    check_operator("mel_filter_bank", samples, layout="ft", nfilter=12, sample_rate=8000.0, **CLOSE)


def test_without_a_layout_frequencies_are_the_last_axis_but_one():
    spectrum = powers(2, 33, 5)
    named = ndd.mel_filter_bank(ndd.tensor(spectrum, layout="Cft"), nfilter=4)
    np.testing.assert_array_equal(np.asarray(ndd.mel_filter_bank(ndd.tensor(spectrum), nfilter=4)), np.asarray(named))


def test_a_filter_sees_a_nan_only_in_its_band():
    spectrum = np.ones((257, 1), np.float32)
    spectrum[200] = np.nan
    made = np.asarray(ndd.mel_filter_bank(ndd.tensor(spectrum), nfilter=10, sample_rate=16000))
    assert np.isnan(made[:, 0]).sum() in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nfilter": 0}, "nfilter must be at least 1, got 0"),
        ({"sample_rate": 0.0}, "sample_rate must be positive"),
        ({"sample_rate": -16000.0}, "sample_rate must be positive"),
        ({"sample_rate": float("inf")}, "sample_rate must be positive"),
        ({"freq_low": -1.0}, "freq_low must not be negative"),
        ({"freq_low": 3000.0, "freq_high": 3000.0}, "freq_high must be above freq_low=3000.0"),
        ({"freq_low": 23000.0}, "freq_high must be above"),
        ({"mel_formula": "bark"}, "mel_formula"),
    ],
)
def test_bad_arguments_fail_at_the_call(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.mel_filter_bank(ndd.tensor(powers(17, 2)), **arguments)


def test_an_input_without_frequencies_is_refused():
    for sample, layout in ((powers(4, 5), "HW"), (np.float32(1), None)):
        with pytest.raises(RuntimeError, match='"f"'):
            ndd.mel_filter_bank(ndd.tensor(sample, layout=layout))
    with pytest.raises(RuntimeError, match="cast it to float32"):
        ndd.mel_filter_bank(ndd.tensor(np.ones((17, 2))))


def test_a_spectrum_of_one_frequency_or_none_is_silent():
    assert np.asarray(ndd.mel_filter_bank(ndd.tensor(powers(1, 3)), nfilter=2)).tolist() == [[0] * 3] * 2
    assert np.asarray(ndd.mel_filter_bank(ndd.tensor(powers(0, 3)), nfilter=2)).tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("layout", ["ft", "tf"])
@pytest.mark.parametrize("nfft", [512, 400, 33, 40000])
def test_the_chain_gives_the_bits_of_its_parts(layout, nfft):
    clips = ndd.batch([powers(n, seed=n) - 0.5 for n in (16000, 700, 31999)])

    def steps(emphasised):
        spectrum = ndd.spectrogram(emphasised, nfft=nfft, window_length=min(nfft, 400), window_step=160, layout=layout)
        return spectrum, lambda x: ndd.mel_filter_bank(x, sample_rate=16000, nfilter=80)

    def tail(mel):
        return ndd.mfcc(ndd.to_decibels(mel, cutoff_db=-80), axis=layout.index("f"))

    with ndd.EvalMode.deferred:
        spectrum, to_mel = steps(ndd.preemphasis_filter(clips))
        whole = [np.asarray(t) for t in tail(to_mel(spectrum))]
    with ndd.EvalMode.sync_cpu:
        spectrum, to_mel = steps(ndd.preemphasis_filter(clips).evaluate())
        parts = [np.asarray(t) for t in tail(to_mel(spectrum.evaluate()).evaluate())]
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_filters_keep_the_promises(data):
    rate = data.draw(st.sampled_from([8000.0, 16000.0, 44100.0]))
    low = data.draw(st.floats(0, 0.4)) * rate
    arguments = {
        "nfilter": data.draw(st.integers(1, 150)),
        "sample_rate": rate,
        "freq_low": low,
        "freq_high": low + data.draw(st.floats(0.01, 0.5)) * rate,
        "mel_formula": data.draw(st.sampled_from(["slaney", "htk"])),
        "normalize": data.draw(st.booleans()),
    }
    shapes = data.draw(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 40)), min_size=1, max_size=3))
    check_operator("mel_filter_bank", [powers(*shape) for shape in shapes], layout="ft", **arguments, **CLOSE)


def test_what_is_not_finite_reaches_its_own_bands_only_on_a_gpu_as_well():
    power = np.ones((257, 5), np.float32)
    power[100, 1], power[5, 2], power[60, 3] = np.inf, np.nan, -np.inf
    power[[100, 101], 4] = np.inf, -np.inf
    check_gpu(ndd.mel_filter_bank, [power], layout="ft", sample_rate=16000.0, nfilter=20, rtol=1e-5)
