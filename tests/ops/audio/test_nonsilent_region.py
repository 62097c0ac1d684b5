"""nonsilent_region: where sound begins and how long it lasts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.several import check_several

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64]


def region(signal, **arguments):
    return tuple(int(np.asarray(part)) for part in ndd.nonsilent_region(ndd.tensor(signal), **arguments))


def burst(before, loud, after, dtype=np.float32, seed=0):
    random = np.random.default_rng(seed)
    quiet = random.normal(size=before + loud + after)
    quiet[:before] *= 1e-5
    quiet[before + loud :] *= 1e-5
    return (quiet * 100).astype(dtype)


SIGNALS = [burst(500, 70, 900), burst(0, 9000, 40000), burst(30000, 1, 0), burst(1, 1, 1), np.zeros(0, np.float32)]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"window_length": 16, "cutoff_db": -20.0},
        {"window_length": 1, "reset_interval": -1},
        {"window_length": 64, "reset_interval": 64, "reference_power": 0.5},
        {"window_length": 100, "reset_interval": 300, "cutoff_db": 3.0},
    ],
)
def test_it_keeps_the_promises(arguments):
    check_several("nonsilent_region", SIGNALS, **arguments)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_keep_the_promises(dtype):
    signals = [np.abs(burst(50, 30, 90)).astype(dtype), np.abs(burst(0, 9, 2000)).astype(dtype)]
    check_several("nonsilent_region", signals, window_length=8, cutoff_db=-30.0)


def test_a_block_is_found_with_the_windows_that_touch_it():
    signal = np.zeros(100, np.float32)
    signal[40:50] = 1
    assert region(signal, window_length=1) == (40, 10)
    assert region(signal, window_length=4) == (37, 16)
    assert region(signal, window_length=4, cutoff_db=0.0) == (40, 10)
    assert region(signal) == (0, 100)


def test_silence_is_relative():
    quiet = np.zeros(50, np.float32)
    assert region(quiet) == (0, 50)
    assert region(quiet, reference_power=0.1) == (0, 0)
    assert region(np.zeros(0, np.float32)) == (0, 0)


def test_rounding_errors_last_until_the_sum_is_made_anew():
    tone = np.concatenate([np.zeros(3000), np.sin(np.arange(3000)), np.zeros(3000)]).astype(np.float32)
    assert region(tone, window_length=16) == (2986, 8192 - 2986)
    assert region(tone, window_length=16, reset_interval=16) == (2986, 6015 - 2986)


def test_results_are_scalars_that_slice_takes():
    signals = ndd.batch([burst(500, 70, 900), burst(20, 7, 3)])
    begin, length = ndd.nonsilent_region(signals, window_length=2, cutoff_db=-30.0)
    assert (begin.dtype, begin.shape, length.dtype) == (ndd.int32, [(), ()], ndd.int32)
    cut = ndd.slice(signals, begin, length, axes=[0])
    assert [shape[0] for shape in cut.shape] == [int(np.asarray(n)) for n in length]


def test_a_nan_ends_what_can_be_heard():
    signal = burst(0, 30, 0)
    signal[20] = np.nan
    assert region(signal, window_length=4) == (0, 20)
    assert region(np.full(9, np.nan, np.float32), window_length=4) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window_length": 0}, "window_length must be at least 1, got 0"),
        ({"window_length": 100}, "multiple of window_length=100 or -1, got 8192"),
        ({"reset_interval": 0}, "multiple of window_length=2048 or -1, got 0"),
        ({"reset_interval": -2048}, "got -2048"),
        ({"reference_power": -1.0}, "`reference_power` has to be positive. Got: -1"),
        ({"reference_power": 0.0}, "`reference_power` has to be positive. Got: 0"),
    ],
)
def test_bad_arguments_fail_at_the_call(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.nonsilent_region(ndd.tensor(burst(3, 3, 3)), **arguments)


def test_what_is_no_signal_is_refused():
    for shape in ((), (4, 1)):
        with pytest.raises(RuntimeError, match="1 axis"):
            ndd.nonsilent_region(ndd.tensor(np.ones(shape, np.float32)))
    for dtype in (np.float16, np.float64, np.bool_):
        with pytest.raises(RuntimeError, match="Unsupported input type"):
            ndd.nonsilent_region(ndd.tensor(np.ones(9, dtype)))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_signal_keeps_the_promises(data):
    dtype = data.draw(st.sampled_from([np.float32, *INTEGERS[:6]]))
    parts = st.tuples(*[st.integers(0, 60)] * 3)
    signals = [np.abs(burst(*each)).astype(dtype) for each in data.draw(st.lists(parts, min_size=1, max_size=3))]
    window = data.draw(st.integers(1, 40))
    check_several(
        "nonsilent_region",
        signals,
        window_length=window,
        reset_interval=data.draw(st.sampled_from([-1, window, 3 * window])),
        cutoff_db=data.draw(st.sampled_from([-60.0, -10.0, 0.0])),
        reference_power=data.draw(st.sampled_from([None, 1.0])),
        gpu_tolerance=window if dtype is np.float32 else None,  # a window at the threshold but for rounding
    )
