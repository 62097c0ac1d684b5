"""Which sample comes next, in numbers small enough to follow."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.readers.core.order import Order, OrderOptions
from penstock.readers.core.shards import Shards


def epochs(size: int, count: int, batch_size: int, **options: Any) -> list[list[list[int]]]:
    order = Order(Shards(size, OrderOptions(**options)))
    return [
        [order.take(batch_size).tolist() for _ in range(-(-order.epoch_length(epoch, batch_size) // batch_size))]
        for epoch in range(count)
    ]


def flat(size: int, count: int, **options: Any) -> list[list[int]]:
    return [[batch[0] for batch in epoch] for epoch in epochs(size, count, 1, **options)]


def test_the_last_batch_is_filled_from_the_next_epoch():
    assert epochs(7, 2, 3) == [[[0, 1, 2], [3, 4, 5], [6, 0, 1]], [[2, 3, 4], [5, 6, 0], [1, 2, 3]]]


def test_batches_of_other_sizes_go_on_where_the_last_one_ended():
    order = Order(Shards(9, OrderOptions()))
    taken = [order.take(2), order.take(3), order.take_more(1), order.take(2), order.take(2)]
    assert [each.tolist() for each in taken] == [[0, 1], [2, 3, 4], [5], [6, 7], [8, 0]]


@pytest.mark.parametrize("shuffle", [False, True])
def test_whoever_takes_indices_may_write_to_them(shuffle):
    orders = [Order(Shards(9, OrderOptions(random_shuffle=shuffle, seed=3))) for _ in range(2)]
    for _ in range(9):
        untouched, written = (order.take(2) for order in orders)
        assert untouched.tolist() == written.tolist()
        written[:] = -1


def test_padding_repeats_the_last_sample():
    assert epochs(7, 2, 3, pad_last_batch=True) == [[[0, 1, 2], [3, 4, 5], [6, 6, 6]]] * 2


def test_a_batch_may_be_larger_than_the_data_set():
    assert epochs(3, 2, 7) == [[[0, 1, 2, 0, 1, 2, 0]], [[1, 2, 0, 1, 2, 0, 1]]]
    assert epochs(3, 2, 7, pad_last_batch=True) == [[[0, 1, 2, 2, 2, 2, 2]]] * 2


def test_what_comes_next_can_be_seen_up_to_the_end_of_a_visit():
    order = Order(Shards(7, OrderOptions()))
    order.take(2)
    assert order.ahead(0, 3).tolist() == [2, 3, 4]
    assert order.ahead(3, 9).tolist() == [5, 6]
    assert order.ahead(5, 9).tolist() == []
    assert order.take(2).tolist() == [2, 3]


@pytest.mark.parametrize(("shard", "samples"), [(0, [0, 1]), (1, [2, 3]), (2, [4, 5, 6])])
def test_shards_differ_by_one_sample_at_most(shard, samples):
    assert flat(7, 1, shard_id=shard, num_shards=3) == [samples]


def test_the_shard_moves_on_after_each_epoch():
    assert flat(7, 4, shard_id=1, num_shards=3) == [[2, 3], [4, 5, 6], [0, 1], [2, 3]]


def test_reading_goes_on_through_the_data_and_the_shard_sets_the_length_of_the_epoch():
    assert epochs(7, 4, 2, num_shards=3) == [[[0, 1]], [[2, 3]], [[4, 5], [6, 0]], [[1, 2]]]


def test_stick_to_shard_wraps_inside_the_shard():
    options = {"shard_id": 2, "num_shards": 3, "stick_to_shard": True}
    assert epochs(7, 2, 2, **options) == [[[4, 5], [6, 4]], [[5, 6], [4, 5]]]


@pytest.mark.parametrize(
    ("shard", "first", "second"), [(0, [[0, 1], [1, 1]], [[2, 3], [3, 3]]), (2, [[4, 5], [6, 6]], [[0, 1], [1, 1]])]
)
def test_padding_gives_every_shard_as_many_batches(shard, first, second):
    assert epochs(7, 2, 2, shard_id=shard, num_shards=3, pad_last_batch=True) == [first, second]


def test_padding_one_sample_at_a_time():
    assert flat(7, 2, num_shards=3, pad_last_batch=True) == [[0, 1, 1], [2, 3, 3]]


# The orders below are the real library's for the same arguments.
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[3, 6, 0, 8, 2, 7, 5, 9, 1, 4], [4, 6, 8, 3, 0, 5, 7, 9, 2, 1]]),
        ({"seed": 42, "initial_fill": 5}, [[7, 5, 2, 6, 8, 1, 0, 4, 3, 9], [7, 6, 1, 0, 9, 2, 8, 3, 4, 5]]),
        ({"seed": 42, "initial_fill": 2}, [[9, 1, 6, 5, 2, 7, 0, 4, 3, 8], [9, 1, 5, 7, 6, 2, 4, 8, 3, 0]]),
        ({"seed": 42, "initial_fill": 1}, [[5, 9, 1, 6, 7, 2, 0, 4, 8, 3], [5, 9, 1, 6, 7, 2, 0, 4, 8, 3]]),
        ({"num_shards": 3, "shard_id": 1}, [[2, 7, 6], [3, 4, 8, 0]]),
        ({"num_shards": 3, "shard_id": 1, "stick_to_shard": True}, [[2, 7, 6], [2, 7, 6]]),
    ],
)
def test_random_shuffle_gives_the_order_of_the_seed(options, expected):
    assert flat(10, 2, random_shuffle=True, **options) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[9, 6, 0, 5, 4, 2, 8, 1, 7, 3], [7, 1, 4, 5, 8, 6, 0, 2, 3, 9]]),
        ({"shuffle_after_epoch_seed": 5}, [[1, 4, 6, 2, 5, 8, 0, 9, 7, 3], [3, 9, 0, 8, 7, 6, 2, 5, 4, 1]]),
        ({"num_shards": 3, "shard_id": 1}, [[5, 4, 2], [5, 8, 6]]),
    ],
)
def test_shuffle_after_epoch_gives_the_order_of_its_seed(options, expected):
    assert flat(10, 2, shuffle_after_epoch=True, **options) == expected


def test_a_seed_of_minus_one_is_an_order_like_any_other():
    assert flat(20, 3, random_shuffle=True, seed=-1) == flat(20, 3, random_shuffle=True)
    assert flat(20, 1, random_shuffle=True, seed=2) != flat(20, 1, random_shuffle=True)


@pytest.mark.parametrize("size", [65535, 65536, 65537])
@pytest.mark.parametrize("option", ["random_shuffle", "shuffle_after_epoch"])
def test_large_data_sets_are_shuffled_whole(size, option):
    order = Order(Shards(size, OrderOptions(**{option: True})))
    assert sorted(order.take(size).tolist()) == list(range(size))


@pytest.mark.parametrize("other", ["random_shuffle", "stick_to_shard"])
def test_shuffle_after_epoch_excludes(other):
    with pytest.raises(RuntimeError, match=f"shuffle_after_epoch and {other} cannot be both true"):
        Order(Shards(7, OrderOptions(shuffle_after_epoch=True, **{other: True})))


def test_archives_are_shuffled_in_both_ways():
    """As DALI allows for readers that open archives; those that list files refuse it."""
    both = OrderOptions(shuffle_after_epoch=True, random_shuffle=True, initial_fill=3, shuffles_listing=False)
    order = Order(Shards(20, both))
    first, second = (order.take(20).tolist() for _ in range(2))
    assert sorted(first) == sorted(second) == [*range(20)]
    alone = Order(Shards(20, OrderOptions(shuffle_after_epoch=True)))
    assert first != second
    assert first != alone.take(20).tolist()


def test_every_shard_needs_a_sample():
    with pytest.raises(RuntimeError, match=r"The number of input samples: 7, needs to be at least .* shards: 8\."):
        Order(Shards(7, OrderOptions(num_shards=8)))


@st.composite
def orders(draw: st.DrawFn) -> tuple[int, int, dict[str, Any]]:
    shards = draw(st.integers(1, 5))
    size = draw(st.integers(shards, 40))
    shuffle = draw(st.sampled_from(["none", "random_shuffle", "shuffle_after_epoch"]))
    options: dict[str, Any] = {"num_shards": shards, "pad_last_batch": draw(st.booleans())}
    if shuffle != "shuffle_after_epoch":
        options["stick_to_shard"] = draw(st.booleans())
    if shuffle != "none":
        options[shuffle] = True
    options["initial_fill"] = draw(st.integers(1, 50))
    options["seed"] = draw(st.integers(-1, 2**31 - 1))
    return size, draw(st.integers(1, 12)), options


@settings(deadline=None)
@given(orders(), st.integers(0, 4))
def test_one_by_one_every_epoch_covers_the_data_set_across_shards(drawn, epoch):
    size, _, options = drawn
    shards = options["num_shards"]
    seen: Counter[int] = Counter()
    for shard in range(shards):
        samples = flat(size, epoch + 1, shard_id=shard, **options)[epoch]
        if options["pad_last_batch"]:
            assert len(samples) == -(-size // shards)
        seen.update(set(samples) if options["pad_last_batch"] else samples)
    assert seen == Counter(range(size))


@settings(deadline=None)
@given(orders(), st.integers(0, 4))
def test_in_padded_batches_every_epoch_covers_the_data_set_across_shards(drawn, epoch):
    size, batch_size, options = drawn
    options["pad_last_batch"] = True
    lengths, seen = set(), Counter()
    for shard in range(options["num_shards"]):
        batches = epochs(size, epoch + 1, batch_size, shard_id=shard, **options)[epoch]
        lengths.add(len(batches))
        seen.update({sample for batch in batches for sample in batch})
    assert len(lengths) == 1
    assert seen == Counter(range(size))


@settings(deadline=None)
@given(orders())
def test_batches_cut_the_same_sequence_whatever_their_size(drawn):
    size, batch_size, options = drawn
    options["pad_last_batch"] = False
    by_one, by_batch = Order(Shards(size, OrderOptions(**options))), Order(Shards(size, OrderOptions(**options)))
    expected = [int(by_one.take(1)[0]) for _ in range(3 * batch_size)]
    assert [sample for _ in range(3) for sample in by_batch.take(batch_size).tolist()] == expected


@settings(deadline=None)
@given(orders(), st.integers(0, 10))
def test_an_order_goes_on_from_any_position(drawn, steps):
    size, batch_size, options = drawn
    order = Order(Shards(size, OrderOptions(**options)))
    for _ in range(steps):
        order.take(batch_size)
    resumed = Order(Shards(size, OrderOptions(**options)), order.position)
    for _ in range(5):
        assert resumed.take(batch_size).tolist() == order.take(batch_size).tolist()
