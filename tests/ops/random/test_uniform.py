from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.random.drawn import check_draws, correlation, drawn
from penstock import _native
from penstock._native import Samples


@pytest.mark.parametrize(
    "arguments", [{}, {"range": [3, 4]}, {"values": [1, 2, 3]}, {"dtype": ndd.int64, "range": [0, 9]}]
)
def test_uniform_keeps_the_promises(arguments):
    check_draws("uniform", **arguments)


def test_a_seed_gives_known_numbers():
    assert drawn("uniform", shape=[3]).tolist() == pytest.approx([0.013064027, 0.32197142, 0.6315789], rel=1e-7)
    assert drawn("uniform", shape=[100000])[-1] == np.float32(-0.7713807821273804)
    assert [sample.tolist() for sample in drawn("uniform", shape=[2], batch_size=3)] == [
        [0.013064026832580566, 0.32197141647338867],
        [-0.8250222206115723, 0.43009305000305176],
        [-0.8816009759902954, 0.14680266380310059],
    ]


# Blocks of four words have 128-bit numbers; most of their work is shared as long as the upper 96 bits stay the same.
@pytest.mark.parametrize("low", [0, 2**32 - 1, 2**32 - 9000, 2**64 - 9000, 2**64 - 1])
@pytest.mark.parametrize("phase", range(4))
def test_numbers_are_made_of_every_257th_word(low, phase):
    key, high, size = 0x0123456789ABCDEF, 2**64 - 1, 700
    halves = [half for word in (key, low, high) for half in (word % 2**32, word >> 32)]
    out = Samples.empty(ndd.float32.code, 1, [size])
    _native.random_uniform(_native.Pool(1), out, ([*halves, phase], 0), np.array([[0, 1]], np.float32))
    words = np.array(_native.philox_words(key, high, low, phase, 257 * size)[::257], np.float32)
    expected = words * (np.nextafter(np.float32(1), np.float32(0)) * np.float32(2**-32))
    np.testing.assert_array_equal(out.sample(0), expected, strict=True)


def test_wide_types_are_drawn_in_double_precision():
    assert drawn("uniform", shape=[2], dtype=ndd.float64).tolist() == [-0.756816454461528, -0.4977859874903291]
    assert drawn("uniform", shape=[8], range=[0, 10], dtype=ndd.int32).tolist() == [1, 3, 7, 1, 2, 10, 1, 4]
    assert drawn("uniform", shape=[8], range=[0, 10], dtype=ndd.uint8).tolist() == [5, 7, 8, 1, 3, 1, 6, 5]


def test_values_are_drawn_alike():
    assert drawn("uniform", shape=[8], values=[1, 5, 7.5]).tolist() == [5, 5, 7.5, 1, 5, 1, 5, 5]
    many = drawn("uniform", shape=[300_000], values=[4, 8, 15], dtype=ndd.uint8)
    kinds, counts = np.unique(many, return_counts=True)
    assert kinds.tolist() == [4, 8, 15]
    np.testing.assert_allclose(counts / many.size, 1 / 3, atol=0.005)


def test_numbers_fill_the_range_evenly():
    numbers = drawn("uniform", shape=[200_000], range=[2.0, 5.0])
    assert 2 <= numbers.min() < numbers.max() < 5
    counts, _ = np.histogram(numbers, bins=50, range=(2, 5))
    # Chi-square with 49 degrees of freedom exceeds 100 once in 50,000.
    assert ((counts - 4000) ** 2 / 4000).sum() < 100


def test_neighbours_samples_and_seeds_are_independent():
    first, second = drawn("uniform", shape=[50_000], batch_size=2)
    other = drawn("uniform", shape=[50_000], seed=1235)
    for a, b in ((first[1:], first[:-1]), (first, second), (first, other)):
        assert abs(correlation(a, b)) < 0.02


@pytest.mark.parametrize("dtype", [ndd.uint8, ndd.int8, ndd.uint16, ndd.int16])
def test_bounds_beyond_the_type_are_kept_and_draws_saturate(dtype):
    limits = np.iinfo(dtype.storage)
    low, high = limits.min, limits.max + 1
    numbers = drawn("uniform", shape=[200_000], range=[low, high], dtype=dtype).astype(np.int64)
    assert numbers.max() == limits.max
    assert abs(numbers.mean() - (low + high) / 2) < (high - low) / 200


@pytest.mark.parametrize("bounds", [[0, 2.9], [0.6, 2.9], [-0.9, 2]])
def test_bounds_of_whole_numbers_lose_their_fractions(bounds):
    numbers = drawn("uniform", shape=[100_000], range=bounds, dtype=ndd.int32)
    kinds, counts = np.unique(numbers, return_counts=True)
    assert kinds.tolist() == [0, 1, 2]
    np.testing.assert_allclose(counts / numbers.size, [0.25, 0.5, 0.25], atol=0.01)


def test_bounds_between_two_whole_numbers_give_one():
    assert drawn("uniform", shape=[3], range=[-0.9, 0.9], dtype=ndd.int8).tolist() == [0, 0, 0]


def test_every_sample_can_have_its_own_range_and_values():
    low, high = drawn("uniform", shape=[100], range=ndd.batch([[0.0, 1.0], [50.0, 60.0]]))
    assert 0 <= low.min() < low.max() < 1
    assert 50 <= high.min() < high.max() < 60
    one, two = drawn("uniform", shape=[20], values=ndd.batch([[3.0], [5.0, 6.0]]))
    assert set(one.tolist()) == {3.0}
    assert set(two.tolist()) == {5.0, 6.0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"range": [2, 1]}, r"Invalid range \[2, 1\)"),
        ({"range": [1, 1]}, r"Invalid range \[1, 1\)"),
        ({"range": [1, 2, 3]}, "lowest and a highest"),
        ({"values": []}, "at least one value"),
        ({"shape": [-1]}, "negative extents"),
        ({"dtype": ndd.float16}, "not supported"),
        ({"dtype": ndd.bool}, "not supported"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_the_call(arguments, message):
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match=message):
        ndd.random.uniform(**arguments)


def test_a_shape_is_given_once():
    with pytest.raises(RuntimeError, match="cannot be given together"):
        ndd.random.uniform(ndd.tensor([1, 2]), shape=[3])
    with pytest.raises(TypeError):
        ndd.random.uniform(seed=3)
