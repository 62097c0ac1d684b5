"""Kernels written for AVX2 and AVX-512 give the bits of those that any x86 can run."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from penstock import _native, types

# Whole vectors and rests of every length, and single pixels.
SIZES = [(1, 1), (3, 5), (17, 31), (40, 70), (33, 128)]
KEYS = list(range(256))


def photos(channels: int = 3) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.integers(0, 256, (*size, channels), np.uint8) for size in SIZES]


def jpegs() -> list[np.ndarray]:
    files = []
    for photo in photos():
        for subsampling in (0, 1, 2):
            file = BytesIO()
            Image.fromarray(photo).save(file, "JPEG", quality=85, subsampling=subsampling)
            files.append(np.frombuffer(file.getvalue(), np.uint8))
    return files


def results() -> list[np.ndarray]:
    """One call at least for each kernel that has a form of its own for an instruction set."""
    color, grey, alpha = (ndd.batch(photos(channels), layout="HWC") for channels in (3, 1, 4))
    floats = ndd.batch([photo.astype(np.float32) * 2 - 130.3 for photo in photos()], layout="HWC")
    made = [ndd.decoders.image(ndd.batch(jpegs()))]
    for images in (color, grey, alpha):
        made += [
            ndd.resize(images, size=[23, 37]),
            ndd.resize(images, size=[64, 91], interp_type=types.INTERP_CUBIC),
            ndd.flip(images),
            ndd.rotate(images, angle=30.0, fill_value=7),
            ndd.rotate(images, angle=30.0, fill_value=7, interp_type=types.INTERP_NN),
            ndd.crop_mirror_normalize(images, mirror=1, mean=[110.0], std=[60.0], output_layout="CHW"),
        ]
    made += [
        ndd.transpose(color, perm=[2, 0, 1]),
        ndd.transpose(ndd.transpose(color, perm=[2, 0, 1]), perm=[1, 2, 0]),
        ndd.brightness_contrast(color, brightness=1.3, contrast=0.8),
        ndd.color_twist(color, hue=20.0, saturation=1.4),
        ndd.color_twist(color, brightness=0.9, contrast=1.5),
        ndd.hsv(color, value=0.5),
        *(ndd.cast(floats, dtype=ndd.int32) // divisor for divisor in (7, -3, 1)),
        ndd.cast(floats, dtype=ndd.int32) % 10,
        ndd.lookup_table(color, keys=KEYS, values=[float(key * 7 % 256) for key in KEYS], dtype=ndd.uint8),
        *(
            ndd.color_space_conversion(color, image_type=types.RGB, output_type=to)
            for to in (types.GRAY, types.BGR, types.YCbCr)
        ),
        ndd.color_space_conversion(grey, image_type=types.GRAY, output_type=types.YCbCr),
        ndd.cast(floats, dtype=ndd.uint8),
        ndd.cast(floats, dtype=ndd.float16),
        ndd.cast(ndd.cast(floats, dtype=ndd.float16), dtype=ndd.float32),
        ndd.gaussian_blur(color, sigma=1.5),
    ]
    rng = ndd.random.RNG(seed=3)
    made += [ndd.random.uniform(range=(0.0, 1.0), shape=[n], batch_size=3, rng=rng) for n in (1, 9, 1000)]
    made += [ndd.random.normal(shape=[1000], batch_size=3, rng=rng)]
    return [np.asarray(sample) for batch in made for sample in batch.tensors]


CHILD = """
import pickle, sys
from ops.test_instruction_sets import results
from penstock import _native, types
sys.stdout.buffer.write(pickle.dumps((_native.simd(), results())))
"""


@pytest.mark.parametrize(("cpu", "name"), [("sse2", "SSE2"), ("avx2", "AVX2")])
def test_older_instruction_sets_give_the_same_bits(cpu: str, name: str) -> None:
    if not _native.simd().startswith(("AVX", "SSE")):
        pytest.skip("there is one instruction set, which every such CPU has")
    environment = os.environ | {"PENSTOCK_CPU": cpu, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True)
    assert child.returncode == 0, child.stderr.decode()
    used, theirs = pickle.loads(child.stdout)
    assert used.startswith((name, "SSE2"))
    for mine, other in zip(results(), theirs, strict=True):
        np.testing.assert_array_equal(mine, other, strict=True)
