"""Transforms in vectors of 4, 8 and 16 floats give the same bits."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import penstock.dynamic as ndd

# As many factors of two as there are, every odd radix, first and last stages of each, and lengths without stages.
LENGTHS = [2, 4, 8, 16, 32, 48, 64, 80, 100, 112, 128, 144, 176, 208, 242, 338, 350, 400, 512, 514, 1024, 2048, 16384]


def spectra() -> list[np.ndarray]:
    """Spectrograms of every length, of more windows than fit in a block, and the spectrum of one long signal."""
    signal = np.random.default_rng(0).normal(size=9000).astype(np.float32)
    made = [
        np.asarray(ndd.spectrogram(ndd.tensor(signal), nfft=n, window_length=min(n, 1500), window_step=379))
        for n in LENGTHS
    ]
    return [*made, np.asarray(ndd.power_spectrum(ndd.tensor(signal[:8400])))]


CHILD = """
import pickle, sys
from ops.audio.test_vector_widths import spectra
sys.stdout.buffer.write(pickle.dumps(spectra()))
"""


@pytest.mark.parametrize("cpu", ["sse2", "avx2"])
def test_narrower_vectors_give_the_same_bits(cpu: str) -> None:
    environment = os.environ | {"PENSTOCK_CPU": cpu, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True)
    assert child.returncode == 0, child.stderr.decode()
    for ours, theirs in zip(spectra(), pickle.loads(child.stdout), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("n", LENGTHS)
def test_every_length_is_the_transform_of_its_windows(n: int) -> None:
    signal = np.random.default_rng(n).normal(size=6000).astype(np.float32)
    window = np.random.default_rng(1).random(n).astype(np.float32)
    made = np.asarray(
        ndd.spectrogram(
            ndd.tensor(signal),
            nfft=n, window_length=n, window_step=300, window_fn=window.tolist(), reflect_padding=False, layout="tf",
        )
    )  # fmt: skip
    padded = np.pad(signal.astype(np.float64), n)
    begins = n - n // 2 + 300 * np.arange(len(made))
    seen = padded[begins[:, None] + np.arange(n)] * window
    expected = np.abs(np.fft.rfft(seen)) ** 2
    np.testing.assert_allclose(made, expected, rtol=1e-4, atol=1e-6 * expected.max())
