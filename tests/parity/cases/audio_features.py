"""From signals to features of sound."""

from __future__ import annotations

from typing import Any

import numpy as np

# Transforms and sums go in another order, in single precision on both sides.
WITHIN = 1e-4

SPECTROGRAM = [
    "ndd.spectrogram(clips, nfft=521, window_length=300, window_step=400, reflect_padding=False)",
    "ndd.spectrogram(clips, window_length=9, window_step=2, window_fn=[0.1 * k for k in range(9)])",
    "ndd.spectrogram(clips, window_length=12, window_step=1, window_fn=[1.0] * 12, layout='tf', power=1)",
    "ndd.spectrogram(short, window_length=32, window_step=5)",
    "ndd.spectrogram(short, window_length=32, window_step=5, reflect_padding=False)",
    "ndd.spectrogram(short, window_length=8, window_step=9, center_windows=False)",
    "ndd.spectrogram(column, window_length=64)",
    "ndd.spectrogram(ndd.tensor(3.0), window_length=8)",
    "ndd.spectrogram(gap, window_length=8, window_step=4)",
    "ndd.spectrogram(short, window_length=32, window_step=5, center_windows=False)",
    "ndd.spectrogram(stereo)",
    "ndd.spectrogram(nothing)",
    "ndd.spectrogram(pcm)",
    "ndd.spectrogram(clips, nfft=256)",
    "ndd.spectrogram(clips, nfft=0)",
    "ndd.spectrogram(clips, window_length=0)",
    "ndd.spectrogram(clips, window_step=-1)",
    "ndd.spectrogram(clips, power=3)",
    "ndd.spectrogram(clips, layout='xy')",
    "ndd.spectrogram(clips, window_fn=[1.0, 2.0])",
]

MEL = [
    "ndd.mel_filter_bank(bands, sample_rate=8000, nfilter=20, freq_low=1200.0, freq_high=7000.0, mel_formula='htk')",
    "ndd.mel_filter_bank(times, sample_rate=16000, nfilter=23)",
    "ndd.mel_filter_bank(unnamed, sample_rate=16000, nfilter=5)",
    "ndd.mel_filter_bank(one_frame, sample_rate=16000, nfilter=5)",
    "ndd.mel_filter_bank(channels, sample_rate=16000, nfilter=5)",
    "ndd.mel_filter_bank(ndd.tensor(np.eye(2, dtype=np.float32)), nfilter=3, sample_rate=8000, freq_high=6000.0)",
    "ndd.mel_filter_bank(ndd.tensor(np.ones((1, 4), np.float32)), nfilter=3)",
    "ndd.mel_filter_bank(ndd.tensor(np.ones((17, 0), np.float32)), nfilter=3)",
    "ndd.mel_filter_bank(matrix_of_floats)",
    "ndd.mel_filter_bank(ndd.tensor(1.0))",
    "ndd.mel_filter_bank(pcm)",
    *(
        f"ndd.mel_filter_bank(bands, {wrong})"
        for wrong in (
            "nfilter=0", "sample_rate=0.0", "sample_rate=-1.0", "freq_low=-1.0", "freq_low=5000.0, freq_high=1000.0",
            "freq_low=30000.0", "freq_high=50000.0", "mel_formula='bark'",
        )
    ),
]  # fmt: skip

CASES: list[dict[str, Any]] = [
    {"operator": "spectrogram", "within": WITHIN, "calls": SPECTROGRAM},
    {
        "operator": "spectrogram",
        "within": WITHIN,
        "deliberate": "transforms of 1 and 2 elements work",
        "calls": ["ndd.spectrogram(short, window_length=1, window_step=2)"],
    },
    {"operator": "mel_filter_bank", "within": WITHIN, "calls": MEL},
    {
        "operator": "to_decibels",
        "within": WITHIN,
        "calls": [
            "ndd.to_decibels(bands, reference=None)",
            "ndd.to_decibels(bands, reference=0)",
            "ndd.to_decibels(bands, cutoff_db=-20.0)",
            "ndd.to_decibels(bands, multiplier=20.0, reference=0.3)",
            "ndd.to_decibels(clips, reference=1.0, cutoff_db=-80.0)",
            "ndd.to_decibels(broken)",
            "ndd.to_decibels(broken, reference=2.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([0, 1e-42, 1e-30, 3e38])), reference=1.0, cutoff_db=-1000.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([-1, -2, 0])))",
            "ndd.to_decibels(ndd.tensor(np.float32([1, 2, 100])), cutoff_db=10.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([1, 2, 100])), multiplier=-10.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([1, 2, 100])), multiplier=0.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([1, 2, 100])), reference=-1.0)",
            "ndd.to_decibels(ndd.tensor(np.float32([0, 1, 10])), reference=1e-44)",
            "ndd.to_decibels(nothing)",
            "ndd.to_decibels(ndd.tensor(5.0))",
            "ndd.to_decibels(channels)",
            "ndd.to_decibels(pcm)",
        ],
    },
    {
        "operator": "mfcc",
        # Pairs are summed first, which rounds a third less; little is left of some sums of many numbers.
        "within": 3e-4,
        "calls": [
            *(f"ndd.mfcc(bands, dct_type={kind}, n_mfcc=13)" for kind in (1, 2, 3, 4)),
            *(f"ndd.mfcc(bands, dct_type={kind}, n_mfcc=13, normalize=True)" for kind in (1, 2, 3, 4)),
            "ndd.mfcc(bands, lifter=22.0)",
            "ndd.mfcc(bands, lifter=-7.5, normalize=True, n_mfcc=300)",
            "ndd.mfcc(times, axis=1, n_mfcc=9)",
            "ndd.mfcc(channels, axis=1, n_mfcc=9)",
            "ndd.mfcc(unnamed, axis=2, n_mfcc=2)",
            "ndd.mfcc(ndd.tensor(np.ones((1, 4), np.float32)), dct_type=3)",
            "ndd.mfcc(ndd.tensor(np.ones((1, 4), np.float32)), dct_type=1)",
            "ndd.mfcc(ndd.tensor(np.ones((0, 4), np.float32)))",
            "ndd.mfcc(ndd.tensor(np.ones((7, 0), np.float32)))",
            "ndd.mfcc(one_frame)",
            "ndd.mfcc(pcm)",
            *(f"ndd.mfcc(bands, {wrong})" for wrong in ("axis=-1", "axis=2", "dct_type=0", "dct_type=5", "n_mfcc=0")),
        ],
    },
    {
        "operator": "preemphasis_filter",
        "within": 1e-5,
        "calls": [
            *(f"ndd.preemphasis_filter(short, border='{border}')" for border in ("clamp", "zero", "reflect")),
            "ndd.preemphasis_filter(clips, preemph_coeff=0.5)",
            "ndd.preemphasis_filter(clips, preemph_coeff=ndd.batch([0.0, 0.9, -1.5]))",
            "ndd.preemphasis_filter(stereo)",
            "ndd.preemphasis_filter(pcm)",
            *(f"ndd.preemphasis_filter(pcm, dtype=T.{kind})" for kind in ("INT16", "UINT8", "INT64", "FLOAT64")),
            "ndd.preemphasis_filter(ndd.tensor(np.float64([1e300, 0.3, 1])), dtype=T.FLOAT64)",
            *(
                f"ndd.preemphasis_filter(ndd.tensor(np.{kind}([1, 2, 100, 7])))"
                for kind in ("uint8", "int8", "uint16", "uint32", "int32", "uint64", "int64")
            ),
            "ndd.preemphasis_filter(broken)",
            "ndd.preemphasis_filter(ndd.tensor(2.0))",
            "ndd.preemphasis_filter(clips, border='wrap')",
            "ndd.preemphasis_filter(clips, dtype=T.FLOAT16)",
            "ndd.preemphasis_filter(ndd.tensor(np.float16([1, 2])))",
            "ndd.preemphasis_filter(ndd.tensor([True, False]))",
        ],
    },
    {
        "operator": "power_spectrum",
        "within": WITHIN,
        "calls": [
            "ndd.power_spectrum(short)",
            "ndd.power_spectrum(short, nfft=13)",
            "ndd.power_spectrum(short, nfft=1021, power=1)",
            "ndd.power_spectrum(bands, axis=1, nfft=8)",
            "ndd.power_spectrum(channels, axis=1, nfft=-1)",
            "ndd.power_spectrum(broken)",
            "ndd.power_spectrum(ndd.tensor(np.ones((0, 8), np.float32)))",
            "ndd.power_spectrum(nothing)",
            "ndd.power_spectrum(bands, axis=2)",
            "ndd.power_spectrum(bands, power=0)",
            "ndd.power_spectrum(ndd.tensor(1.0))",
            "ndd.power_spectrum(pcm)",
        ],
    },
    {
        "operator": "power_spectrum",
        "deliberate": "negative axes count from the end, and transforms of 1 and 2 elements work",
        "calls": ["ndd.power_spectrum(bands, axis=-2)", "ndd.power_spectrum(ndd.tensor(np.float32([2, 3])))"],
    },
    {
        "operator": "nonsilent_region",
        "calls": [
            "ndd.nonsilent_region(bursts)",
            "ndd.nonsilent_region(bursts, window_length=16)",
            "ndd.nonsilent_region(bursts, window_length=64, cutoff_db=-20.0, reset_interval=128)",
            "ndd.nonsilent_region(bursts, window_length=1, reset_interval=-1, cutoff_db=-3.0)",
            "ndd.nonsilent_region(bursts, window_length=100, reset_interval=-1, reference_power=0.01)",
            "ndd.nonsilent_region(bursts, window_length=4, reference_power=1e9)",
            "ndd.nonsilent_region(spoken, window_length=16)",
            "ndd.nonsilent_region(pcm, window_length=8, cutoff_db=-6.0)",
            *(
                f"ndd.nonsilent_region(ndd.tensor(np.{kind}([0, 0, 90, 100, 7, 0, 0])), window_length=2)"
                for kind in ("uint8", "int8", "uint16", "uint32", "int32", "uint64", "int64")
            ),
            "ndd.nonsilent_region(ndd.tensor(np.zeros(50, np.float32)))",
            "ndd.nonsilent_region(ndd.tensor(np.zeros(50, np.float32)), reference_power=0.1)",
            "ndd.nonsilent_region(broken, window_length=4)",
            "ndd.nonsilent_region(bursts, window_length=4, cutoff_db=5.0)",
            "ndd.nonsilent_region(bursts, window_length=4, reset_interval=6)",
            "ndd.nonsilent_region(bursts, window_length=4, reset_interval=-5)",
            "ndd.nonsilent_region(bursts, reference_power=-1.0)",
            "ndd.nonsilent_region(stereo)",
            "ndd.nonsilent_region(ndd.tensor(np.float64([1, 2])))",
        ],
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(9)

    def noise(*shape: int) -> Any:
        return rng.normal(size=shape).astype(np.float32)

    def burst(before: int, loud: int, after: int) -> Any:
        parts = noise(before) * 1e-5, noise(loud), noise(after) * 1e-5
        return np.concatenate(parts).astype(np.float32)

    tone = np.concatenate([np.zeros(3000), np.sin(np.arange(3000)), np.zeros(3000)]).astype(np.float32)
    return {
        "np": np,
        "clips": ndd.batch([noise(n) for n in (3001, 800, 512)]),
        "short": ndd.batch([noise(n) for n in (5, 7, 12)]),
        "column": ndd.tensor(noise(500, 1)),
        "stereo": ndd.tensor(noise(300, 2)),
        "nothing": ndd.tensor(noise(0)),
        "broken": ndd.tensor(np.float32([1, 2, 3, np.nan, 0, -1, 0.5, 4, 1, 1, 2, 0, 0, 0, 0, 0, 0, np.inf, 0, 0])),
        "gap": ndd.tensor(np.float32([1, 2, 3, np.nan] + [0.5, -2, 1, 0] * 9)),
        "pcm": ndd.tensor((noise(200) * 9000).astype(np.int16)),
        "bands": ndd.batch([noise(n, frames) ** 2 for n, frames in ((257, 21), (40, 3), (129, 16))], layout="ft"),
        "times": ndd.batch([noise(frames, n) ** 2 for n, frames in ((257, 21), (40, 3), (129, 16))], layout="tf"),
        "unnamed": ndd.tensor(noise(2, 33, 5)),
        "one_frame": ndd.tensor(noise(65), layout="f"),
        "channels": ndd.tensor(noise(2, 33, 5) ** 2, layout="Cft"),
        "matrix_of_floats": ndd.tensor(noise(4, 5), layout="HW"),
        "bursts": ndd.batch([burst(*parts) for parts in ((700, 90, 500), (0, 4000, 9000), (9000, 30, 1))]),
        "spoken": ndd.tensor(tone),
    }
