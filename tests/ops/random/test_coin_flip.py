from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.random.drawn import check_draws, drawn


@pytest.mark.parametrize("arguments", [{}, {"probability": 0.1}, {"dtype": ndd.bool}, {"dtype": ndd.uint8}])
def test_coin_flip_keeps_the_promises(arguments):
    check_draws("coin_flip", **arguments)


def test_a_seed_gives_known_flips():
    assert drawn("coin_flip", shape=[12]).tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    rare = drawn("coin_flip", shape=[12], probability=0.25)
    assert rare.tolist() == [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]
    assert rare.dtype == np.int32


@pytest.mark.parametrize("probability", [0.001, 0.25, 0.5, 0.9])
def test_ones_come_as_often_as_asked(probability):
    flips = drawn("coin_flip", shape=[200_000], probability=probability, dtype=ndd.uint8)
    spread = (probability * (1 - probability) / flips.size) ** 0.5
    assert abs(flips.mean() - probability) < 5 * spread


@pytest.mark.parametrize(("probability", "side"), [(0, 0), (1, 1)])
def test_certain_outcomes_are_certain(probability, side):
    assert set(drawn("coin_flip", shape=[10_000], probability=probability).tolist()) == {side}


@pytest.mark.parametrize(("probability", "index"), [(1.5, 0), (-0.1, 0), (ndd.batch([0.5, 1.5]), 1)])
def test_a_probability_is_from_0_to_1(probability, index):
    with pytest.raises(RuntimeError, match=rf"must be in range \[0, 1\], got `.*` for sample at index {index}"):
        ndd.random.coin_flip(probability=probability).evaluate()


def test_every_sample_can_have_its_own_probability():
    assert [sample.tolist() for sample in drawn("coin_flip", shape=[3], probability=ndd.batch([0.0, 1.0]))] == [
        [0, 0, 0],
        [1, 1, 1],
    ]


def test_other_types_are_refused_at_the_call():
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="bool, uint8, int32"):
        ndd.random.coin_flip(dtype=ndd.float32)
