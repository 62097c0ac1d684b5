"""permute_batch and batch_permutation: the samples of a batch in another order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd

RAGGED = ndd.batch([[1], [2, 2], [3, 3, 3]], layout="W")


def contents(batch):
    return [np.asarray(t).tolist() for t in batch]


@pytest.mark.parametrize(
    "indices", [[2, 0, 1], ndd.batch([2, 0, 1]), ndd.batch([[2], [0], [1]]), ndd.tensor([2, 0, 1])]
)
def test_samples_are_put_in_order(indices):
    got = ndd.permute_batch(RAGGED, indices=indices)
    assert contents(got) == [[3, 3, 3], [1], [2, 2]]
    assert (got.layout, got.dtype) == ("W", ndd.int32)


def test_samples_may_be_repeated():
    assert contents(ndd.permute_batch(RAGGED, indices=[1, 1, 0])) == [[2, 2], [2, 2], [1]]
    assert contents(ndd.permute_batch(RAGGED, indices=ndd.tensor(1))) == [[2, 2]] * 3
    assert contents(ndd.permute_batch(ndd.tensor([5]), indices=ndd.batch([0, 0]))) == [[5], [5]]


@pytest.mark.parametrize("mode", [*ndd.EvalMode])
def test_every_mode_agrees(mode):
    with mode:
        assert contents(ndd.permute_batch(RAGGED + 1, indices=[2, 0, 1]) + 1) == [[5, 5, 5], [3], [4, 4]]


def test_nothing_is_copied():
    batch = ndd.batch(np.arange(6).reshape(3, 2))
    got = ndd.permute_batch(batch, indices=[2, 0, 1])
    assert np.shares_memory(np.asarray(got.tensors[0]), np.asarray(batch.tensors[2]))


def test_samples_keep_their_source(tmp_path):
    paths = []
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
        paths.append(str(tmp_path / name))
    files = ndd.io.file.read(ndd.batch([np.frombuffer(path.encode(), np.uint8) for path in paths]))
    sources = ndd.get_property(ndd.permute_batch(files, indices=[1, 0]), key="source_info")
    assert [np.asarray(t).tobytes().decode() for t in sources] == paths[::-1]


def test_empty_batches():
    assert ndd.permute_batch(ndd.batch([], dtype=ndd.int32), indices=[]).batch_size == 0
    assert ndd.batch_permutation(batch_size=0).batch_size == 0


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ([3, 0, 1], r"indices\[0\] = 3 is not a valid index for an input batch of 3"),
        ([0, -1, 1], r"indices\[1\] = -1 is not a valid index"),
        ([1, 0], "The number of sample indices 2 does not match the current batch size, which is 3"),
    ],
)
def test_bad_indices_are_refused(indices, message):
    with pytest.raises(RuntimeError, match=message):
        ndd.permute_batch(RAGGED, indices=indices).evaluate()


def test_bad_calls_are_refused():
    with pytest.raises(ValueError, match="Inconsistent batch size: 2 != 3"):
        ndd.permute_batch(RAGGED, indices=ndd.batch([1, 0]))
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'indices'"):
        ndd.permute_batch(RAGGED)
    with pytest.raises(ValueError, match="`batch_size` must be specified"):
        ndd.batch_permutation()


def drawn(n, seed=1, **arguments):
    places = ndd.batch_permutation(batch_size=n, rng=ndd.random.RNG(seed=seed), **arguments)
    assert (places.dtype, places.ndim) == (ndd.int32, 0)
    return [t.item() for t in places]


def test_the_orders_of_a_seed_are_known():
    assert drawn(5, seed=0) == [2, 3, 0, 4, 1]
    assert drawn(5, seed=0, no_fixed_points=True) == [3, 0, 1, 4, 2]
    assert drawn(5, seed=0, allow_repetitions=True) == [2, 2, 2, 4, 1]
    assert drawn(5, seed=0, allow_repetitions=True, no_fixed_points=True) == [3, 2, 1, 4, 1]


@given(st.integers(2, 300), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_orders_hold_what_they_promise(n, seed):
    everyone = [*range(n)]
    assert sorted(drawn(n, seed)) == everyone
    moved = drawn(n, seed, no_fixed_points=True)
    assert sorted(moved) == everyone
    assert all(place != i for i, place in enumerate(moved))
    chosen = drawn(n, seed, allow_repetitions=True, no_fixed_points=True)
    assert all(place != i and 0 <= place < n for i, place in enumerate(chosen))
    assert set(drawn(n, seed, allow_repetitions=True)) <= set(everyone)


def test_every_order_is_as_likely_as_any_other():
    rng = ndd.random.RNG(seed=3)
    orders = [tuple(t.item() for t in ndd.batch_permutation(batch_size=3, rng=rng)) for _ in range(1200)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert all(140 < count < 260 for count in counts)


def test_a_single_sample_stays():
    assert drawn(1) == drawn(1, no_fixed_points=True) == drawn(1, allow_repetitions=True, no_fixed_points=True) == [0]


def test_large_batches_are_permuted_too():
    assert sorted(drawn(70_000)) == [*range(70_000)]
