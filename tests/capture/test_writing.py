"""Writing to the values of a compiled loop: each step has memory of its own for as long as the program holds it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from capture.loops import Pictures
from capture.sources import loop, numbers


def memory(batch: Any) -> list[Any]:
    return [np.asarray(tensor) for tensor in batch]


def run(root: Any, compiled: bool, write: bool) -> list[Any]:
    """All that some epochs make, written to after its last use where that is asked for."""
    extra, made, kept = numbers(), [], []
    for _ in range(3):
        for batch in loop(root, compiled):
            other = extra(batch_size=3)
            values = [batch, other, batch + 1, ndd.cast(batch, dtype=ndd.float32) * ndd.reductions.sum(other)]
            held = [array for value in values for array in memory(value)]
            made.append([array.copy() for array in held])
            kept.append((values, held))
            if write:
                for array in held:
                    array[:] = len(kept)
    if write:
        assert all((array == step).all() for step, (_, held) in enumerate(kept, 1) for array in held)
    return made


@pytest.mark.parametrize("root", [lambda: Pictures(size=30), lambda: numbers(10)])
def test_writing_after_the_last_use_changes_nothing_else(root):
    expected = run(root(), compiled=False, write=False)
    for one, other in zip(expected, run(root(), compiled=True, write=True), strict=True):
        for before, after in zip(one, other, strict=True):
            np.testing.assert_array_equal(before, after)
