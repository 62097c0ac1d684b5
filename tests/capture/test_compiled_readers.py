"""Every reader hands out in a compiled loop what it hands out without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from readers.every_reader import EVERY, reader_of


def epoch(name: str, **options: Any) -> list[Any]:
    made = []
    for step in reader_of(name, 6).next_epoch(batch_size=2, **options):
        named = step.items() if isinstance(step, dict) else enumerate(step)
        made.append({key: [np.array(sample) for sample in ndd.copy(batch)] for key, batch in named})
    return made


@pytest.mark.parametrize("name", EVERY)
def test_a_compiled_epoch_is_the_same(name: str) -> None:
    written, compiled = epoch(name), epoch(name, compile=True)
    assert len(compiled) == len(written) == 3
    for one, other in zip(written, compiled, strict=True):
        assert other.keys() == one.keys()
        for key, samples in one.items():
            for expected, got in zip(samples, other[key], strict=True):
                np.testing.assert_array_equal(got, expected)
