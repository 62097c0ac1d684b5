"""The pool of memory: what every batch needs is kept, what an outlier left goes back to the system."""

from __future__ import annotations

import mmap
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from ops.decode.files import saved, turned
from penstock._native import Samples, arena_use, trim_arena
from penstock.values.dtypes import uint8

LARGE, SMALL = 64 << 20, 64 << 10


def take(size: int) -> Samples:
    return Samples.empty(uint8.code, 1, [size])


def kept() -> int:
    return int(arena_use()[1])


@pytest.fixture(autouse=True)
def empty_arena():
    trim_arena()
    yield
    trim_arena()


def test_a_block_is_kept_while_it_is_used_now_and_then():
    for _ in range(20):
        take(LARGE)
        for _ in range(200):
            take(SMALL)
        assert kept() >= LARGE


@pytest.mark.parametrize("size", [SMALL, 100], ids=["pooled", "too small for the pool"])
def test_a_block_nobody_asks_for_again_goes_back(size):
    take(LARGE)
    assert kept() >= LARGE
    for _ in range(2000):
        take(size)
    assert kept() < 1 << 20


def test_blocks_beyond_those_in_use_at_a_time_go_back():
    several = [take(LARGE) for _ in range(3)]
    several.clear()
    for _ in range(2000):
        take(LARGE)
    assert LARGE <= kept() < 2 * LARGE


def test_the_largest_blocks_go_back_first():
    blocks = [take(size << 20) for size in (300, 400, 5, 600)]  # not touched: they take no memory
    blocks.clear()
    assert 705 << 20 <= kept() < 900 << 20  # all but the one of 600 MB


# Prints how many MB the process takes before, during and 2000 small batches after an image of 100 megapixels, turned
# and converted, so that working memory was large as well.
OUTLIER = """
import io, sys
import numpy as np
from PIL import Image
import penstock.dynamic as ndd

def resident():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) >> 10 for line in lines if line.startswith("VmRSS:"))

def jpeg(size):
    file, exif = io.BytesIO(), Image.Exif()
    exif[0x112] = 6
    Image.new("RGB", (size, size), (1, 2, 3)).save(file, "JPEG", exif=exif)
    return np.frombuffer(file.getvalue(), np.uint8)

def load(batch):
    ndd.resize(ndd.cast(ndd.decoders.image(batch, dtype=ndd.float32), dtype=ndd.float32), size=[32, 32]).evaluate()

with ndd.EvalMode.sync_cpu:
    small, large = ndd.batch([jpeg(64)] * 4), ndd.batch([jpeg(64), jpeg(10_000)])
    load(small)
    before = resident()
    load(large)
    peak = int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1]) >> 10
    for _ in range(2000):
        load(small)
print(before, peak, resident())
"""


@pytest.mark.memory
def test_the_process_is_small_again_after_one_large_image():
    done = subprocess.run([sys.executable, "-c", OUTLIER], capture_output=True, text=True, check=True)
    before, peak, after = map(int, done.stdout.split())
    assert peak - before > 1000
    assert after - before < 100


def test_large_working_memory_does_not_stay_with_its_thread():
    """A turned image is decoded into scratch memory first: that is the pool's again when the call returns."""
    picture = saved(Image.new("RGB", (3000, 2000)), "JPEG", exif=turned(6))
    live = arena_use()[0]
    image = ndd.decoders.image(picture).evaluate()
    assert arena_use()[0] - live < 1.3 * np.prod(image.shape)


@pytest.mark.parametrize("size", [16 << 10, 20 << 10, 72 << 10, 300 << 10, 5 << 20])
def test_blocks_of_the_pool_share_no_page(size):
    """Pages are pinned as a whole, and released with the first block that is."""
    blocks = [take(size) for _ in range(3)]
    live, block = arena_use()[0], take(size)
    if arena_use()[0] > live:  # else it is smaller than a page, and malloc's
        assert all(each.array().ctypes.data % mmap.PAGESIZE == 0 for each in [*blocks, block])
    else:
        assert size < mmap.PAGESIZE
