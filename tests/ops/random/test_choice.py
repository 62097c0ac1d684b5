from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.random.drawn import check_draws, drawn
from penstock import types


@pytest.mark.parametrize(("a", "arguments"), [(10, {}), ([3, 5, 8], {}), ([3, 5, 8], {"p": [0.1, 0.2, 0.7]})])
def test_choice_keeps_the_promises(a, arguments):
    check_draws("choice", a, **arguments)


def test_a_seed_gives_known_picks():
    assert drawn("choice", 10, shape=[8]).tolist() == [5, 6, 8, 0, 3, 1, 6, 5]
    assert drawn("choice", [3, 5, 8], p=[0.1, 0.2, 0.7], shape=[8]).tolist() == [5, 5, 8, 5, 5, 8, 3, 8]
    wide = drawn("choice", np.int64(10**15), shape=[3])
    assert wide.tolist() == [506531785253743, 660983660448891, 815793264353882]


def test_rows_are_picked_whole():
    rows = np.arange(8).reshape(4, 2)
    assert drawn("choice", rows, shape=[3]).tolist() == [[4, 5], [0, 1], [6, 7]]
    assert drawn("choice", rows).tolist() == [4, 5]
    assert drawn("choice", rows, shape=[5, 3]).shape == (5, 3, 2)


def test_picks_keep_type_and_layout():
    image = ndd.tensor(np.zeros((2, 3, 4), np.uint8), layout="HWC")
    assert ndd.random.choice(image).layout == "WC"
    assert ndd.random.choice(image, shape=[2]).layout == "HWC"
    assert ndd.random.choice(image, shape=[2, 2]).layout is None
    assert drawn("choice", np.uint8(200), shape=[4]).dtype == np.uint8
    assert drawn("choice", np.ones(3, np.float16)).dtype == np.float16


def test_picks_come_as_often_as_asked():
    even = drawn("choice", 7, shape=[100_000])
    np.testing.assert_allclose(np.bincount(even) / even.size, 1 / 7, atol=0.006)
    p = [0.5, 0.0, 0.125, 0.375]
    weighted = drawn("choice", 4, shape=[100_000], p=p)
    np.testing.assert_allclose(np.bincount(weighted, minlength=4) / weighted.size, p, atol=0.008)


def test_numbers_of_3_billion_are_even_too():
    picks = drawn("choice", np.uint32(3_000_000_000), shape=[50_000])
    counts, _ = np.histogram(picks, bins=10, range=(0, 3e9))
    np.testing.assert_allclose(counts / picks.size, 0.1, atol=0.008)


def test_every_sample_can_have_its_own_list():
    first, second = drawn("choice", ndd.batch([[1, 2], [7, 8, 9]]), shape=[50])
    assert set(first.tolist()) == {1, 2}
    assert set(second.tolist()) == {7, 8, 9}
    sure = drawn("choice", ndd.batch([2, 3]), p=ndd.batch([[0.0, 1.0], [0.0, 0.0, 1.0]]))
    assert [sample.item() for sample in sure] == [1, 2]


def test_one_probability_is_that_of_every_element():
    assert drawn("choice", 4, p=0.25, shape=[9]).tolist() == drawn("choice", 4, p=[0.25] * 4, shape=[9]).tolist()
    each = drawn("choice", ndd.batch([2, 4]), p=ndd.batch([0.5, 0.25]), shape=[3])
    assert [sample.shape for sample in each] == [(3,), (3,)]


@pytest.mark.parametrize(
    ("a", "arguments", "message"),
    [
        (0, {}, "positive number of elements"),
        (-3, {}, "positive number of elements"),
        (2.0, {}, "Data type float is not supported for 0D inputs"),
        (True, {}, "Data type bool is not supported for 0D inputs"),
        (types.INTERP_CUBIC, {}, "Data type DALIInterpType is not supported for 0D inputs"),
        (2, {"p": 0.25}, "Sum of probabilities must be 1.0, but got 0.5 for sample: 0"),
        (2, {"p": [0.5, 0.4]}, "Sum of probabilities must be 1.0, but got 0.9"),
        (2, {"p": [1.5, -0.5]}, "must be in range"),
        (3, {"p": [0.5, 0.5]}, r"Expected \{3\}, but got \{2\}"),
    ],
)
def test_what_cannot_be_picked_is_refused(a, arguments, message):
    with ndd.EvalMode.sync_cpu, pytest.raises(RuntimeError, match=message):
        ndd.random.choice(a, **arguments)
