"""The threads that walk the samples of a batch."""

from __future__ import annotations

import numpy as np
import pytest

from penstock import _native
from penstock.values.samples import from_array


@pytest.mark.parametrize("threads", [1, 2, 3, 4, 64])
@pytest.mark.parametrize("count", [1, 2, 3, 63, 200])
def test_every_sample_is_done_once(threads, count):
    array = np.random.default_rng(count).integers(0, 256, (count, 140_000), np.uint8)
    alone = _native.content_checksums(_native.Pool(1), from_array(array))
    assert len(set(alone)) == count
    pool = _native.Pool(threads)
    for _ in range(5):
        assert _native.content_checksums(pool, from_array(array)) == alone
