"""Every reader covers its data set in every epoch, and its samples know their numbers."""

from __future__ import annotations

from itertools import chain
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock.readers import Reader
from readers.every_reader import EVERY, MOST, indices_of, plain_reader, reader_of, rows
from readers.promises import check_resume

every_reader = pytest.mark.parametrize("name", EVERY)


def test_no_reader_of_ndd_is_missing() -> None:
    spaces = {"readers": ndd.readers, "experimental.readers": ndd.experimental.readers}
    public = {f"{space}.{name}": getattr(where, name) for space, where in spaces.items() for name in where.__all__}
    readers = {
        name for name, found in public.items()
        if isinstance(found, type) and issubclass(found, Reader) and name != "readers.Reader"
    }  # fmt: skip
    assert sorted(EVERY) == sorted(readers)


@every_reader
def test_samples_by_number_are_all_different_and_know_where_they_came_from(name):
    reader = reader_of(name, 7)
    everything = plain_reader(name, 7).read(range(7))
    held = [held for _, held in rows(everything)]
    assert all(held.count(each) == 1 for each in held)
    assert indices_of(plain_reader(name, 7).read([5, 0, 5])) == [5, 0, 5]
    outputs = reader.read([4, 1])
    for output in outputs.values() if isinstance(outputs, dict) else outputs:
        assert np.asarray(ndd.as_tensor(ndd.get_property(output, key="index"))).tolist() == [4, 1]
    output = next(iter(outputs.values() if isinstance(outputs, dict) else outputs))
    sources = [bytes(np.asarray(source)).decode() for source in ndd.get_property(output, key="source_info")]
    assert sources == [samples.sources[0] for samples in (plain_reader(name, 7).read([k])[0] for k in (4, 1))]
    assert all(sources)
    with pytest.raises(IndexError, match="there is no sample 7, the reader has 7"):
        reader.read([7])


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Everything that has a say in order, and what must not have any."""
    order: dict[str, Any] = {
        "num_shards": draw(st.integers(1, 4)), "pad_last_batch": draw(st.booleans()),
        "seed": draw(st.integers(-1, 2**31 - 1)), "initial_fill": draw(st.integers(1, 2 * MOST)),
        "prefetch_queue_depth": draw(st.integers(1, 3)),
    }  # fmt: skip
    for flag in ("read_ahead", "lazy_init", "dont_use_mmap", "skip_cached_images"):
        order[flag] = draw(st.booleans())
    shuffle = draw(st.sampled_from([None, "random_shuffle", "shuffle_after_epoch"]))
    if shuffle is not None:
        order[shuffle] = True
    if shuffle == "shuffle_after_epoch":
        order["shuffle_after_epoch_seed"] = draw(st.none() | st.integers(0, 1000))
    else:
        order["stick_to_shard"] = draw(st.booleans())
    return order


def shard(size: int, number: int, order: dict[str, Any], visit: int) -> range:
    """The samples of the shard a reader visits, where nothing is shuffled."""
    shards = order["num_shards"]
    rotates = not (order.get("stick_to_shard") or order.get("shuffle_after_epoch"))
    at = (number + visit * rotates) % shards
    return range(at * size // shards, (at + 1) * size // shards)


def visits_of(epochs: list[list[list[int]]], size: int, number: int, order: dict[str, Any]) -> list[list[int]]:
    """What a reader handed out of each shard it visited; checks the number and the size of the batches, and padding."""
    visits = []
    if order["pad_last_batch"]:
        for visit, batches in enumerate(epochs):
            handed, length = [*chain(*batches)], len(shard(size, number, order, visit))
            assert len(batches) == ceil(ceil(size / order["num_shards"]) / len(batches[0]))
            assert set(handed[length:]) <= {handed[length - 1]}, "the last sample is repeated"
            visits.append(handed[:length])
        return visits
    handed = [*chain(*chain(*epochs))]
    for visit, batches in enumerate(epochs):
        length = len(shard(size, number, order, visit))
        assert len(batches) == ceil(length / len(batches[0]))
        visits.append(handed[:length])
        del handed[:length]
    return visits


@every_reader
@settings(max_examples=8, deadline=None)
@given(
    size=st.integers(1, MOST), batch_size=st.none() | st.integers(1, 5), count=st.integers(1, 3), order=options()
)  # fmt: skip
def test_every_epoch_covers_the_data_set_across_shards(name, size, batch_size, count, order):
    assume(order["num_shards"] <= size)
    held = dict(rows(plain_reader(name, size).read(range(size))))
    visits = []
    for number in range(order["num_shards"]):
        reader = plain_reader(name, size, shard_id=number, **order)
        epochs = [[rows(outputs) for outputs in reader.next_epoch(batch_size=batch_size)] for _ in range(count)]
        assert {len(batch) for batches in epochs for batch in batches} == {batch_size or 1}
        assert all(held[index] == what for batches in epochs for batch in batches for index, what in batch)
        numbers = [[[index for index, _ in batch] for batch in batches] for batches in epochs]
        visits.append(visits_of(numbers, size, number, order))
        if not order.get("random_shuffle") and not order.get("shuffle_after_epoch"):
            assert visits[-1] == [[*shard(size, number, order, visit)] for visit in range(count)]
        assert reader.get_metadata() == {
            "epoch_size": size,
            "epoch_size_padded": size + (-size % order["num_shards"] if order["pad_last_batch"] else 0),
            "number_of_shards": order["num_shards"],
            "shard_id": number,
            "pad_last_batch": int(order["pad_last_batch"]),
            "stick_to_shard": int(order.get("stick_to_shard", False)),
        }
    for visit in range(count):
        assert sorted(index for of_shard in visits for index in of_shard[visit]) == list(range(size))


@every_reader
def test_a_sampler_is_the_order_of_any_reader(name):
    reader = plain_reader(name, 7, sampler=[5, 5, 0, 2])
    epochs = [[indices_of(batch) for batch in reader.next_epoch(batch_size=2)] for _ in range(2)]
    assert epochs == [[[5, 5], [0, 2]]] * 2
    check_resume(lambda: plain_reader(name, 7, sampler=[6, 1, 3], enable_checkpointing=True), batch_size=2)
