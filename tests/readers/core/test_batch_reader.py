"""Batches of files that native code reads, where nothing is special about them, beside those that Python code reads."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock._native import ListedFiles, UpcomingBatches
from penstock.engine import events
from penstock.readers.core.order import Order, OrderOptions, OrderPosition
from penstock.readers.core.shards import Shards
from penstock.storage import Names
from penstock.storage.storage import Storage, reading_pool

ORDERS: list[dict[str, Any]] = [
    {},
    {"random_shuffle": True, "seed": 5, "initial_fill": 4},
    {"shuffle_after_epoch": True},
    {"pad_last_batch": True},
    {"num_shards": 2, "shard_id": 1},
    {"num_shards": 2, "shard_id": 1, "pad_last_batch": True, "stick_to_shard": True},
]


class Other(Storage):
    """A storage of the program's own, of which native code knows nothing."""


@pytest.fixture
def folder(tmp_path):
    for number in range(11):
        (tmp_path / f"{number % 3}").mkdir(exist_ok=True)
        (tmp_path / f"{number % 3}" / f"{number}.jpg").write_bytes(bytes([number]) * (number % 4))
    return tmp_path


def read(folder: Path, storage: Storage, epochs: int, last_batch: str = "fill", **options: Any) -> list[Any]:
    """All that a program sees of some epochs."""
    reader = ndd.readers.File(file_root=folder, storage=storage, **options)
    seen: list[Any] = []
    for _ in range(epochs):
        for files, labels in reader.next_epoch(batch_size=3, last_batch=last_batch):
            numbers = files._samples.indices
            assert labels._samples.indices == numbers
            paths = [*files._samples.sources]
            seen.append((numbers, paths, [np.array(each).tobytes() for each in files], labels.numpy().tolist()))
        seen.append(("epoch", reader.epoch))
    return seen


def in_memory() -> Storage:
    """A storage that takes its files to be in memory, as it does once some of them were."""
    storage = Storage()
    storage.__dict__["from_disk"] = False
    return storage


@pytest.mark.parametrize("options", ORDERS, ids=lambda options: "-".join(options) or "in order")
@pytest.mark.parametrize("last_batch", ["fill", "partial", "drop", "pad"])
def test_the_program_sees_the_same_batches(options, last_batch, folder):
    if last_batch != "fill" and options.get("pad_last_batch"):
        options = {**options, "pad_last_batch": False}
    native = read(folder, in_memory(), 4, last_batch, **options)
    assert native == read(folder, Other(), 4, last_batch, **options)
    assert len(native) >= 8


def test_most_batches_need_no_python_code(folder, monkeypatch):
    taken: list[int] = []
    monkeypatch.setattr(Order, "take", lambda self, count, take=Order.take: (taken.append(count), take(self, count))[1])
    reader = ndd.readers.File(file_root=folder, storage=in_memory(), prefetch_queue_depth=1)
    batches = [files._samples.indices for files, _ in reader.next_epoch(batch_size=2)]
    assert batches == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 0]]
    reader._stop_reading()
    assert 2 <= len(taken) <= 3  # the first, for which those up to the end are cut, and one or two from the end on


def test_files_that_cannot_be_read_are_left_to_python_code(folder):
    def seen(storage: Storage) -> list[Any]:
        reader = ndd.readers.File(file_root=folder, storage=storage, on_error="skip")
        reader.get_metadata()  # lists the files
        missing.rename(folder / "elsewhere")
        try:
            batches = [files._samples.indices for files, _ in reader.next_epoch(batch_size=3)]
            return [*batches, *((bad.index, bad.source, str(bad.error)) for bad in reader.errors)]
        finally:
            (folder / "elsewhere").rename(missing)

    missing = folder / "1" / "4.jpg"
    found = seen(in_memory())
    assert found == seen(Other())
    assert len(found[-1]) == 3
    assert "4.jpg" in found[-1][1]


def test_whoever_listens_is_told_of_every_batch(folder):
    heard: list[events.BatchRead] = []
    with events.listening(heard.append, events.BatchRead):
        read(folder, in_memory(), 1)
    assert [each.samples for each in heard][:4] == [3, 3, 3, 3]


@given(size=st.integers(1, 40), count=st.integers(1, 9), shuffle=st.booleans(), steps=st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_batches_cut_ahead_are_those_taken_one_by_one(size, count, shuffle, steps):
    options = OrderOptions(random_shuffle=shuffle, seed=3)
    order, one_by_one = (Order(Shards(size, options)) for _ in range(2))
    for _ in range(steps):
        assert order.take(count).tolist() == np.concatenate([one_by_one.take(1) for _ in range(count)]).tolist()
        assert (order.position.visit, order.position.offset) in {
            tuple(one_by_one.position[:2]), (one_by_one.position.visit - 1, size),
        }  # fmt: skip


def test_upcoming_batches_begin_where_they_were_cut():
    rows = np.arange(6).reshape(2, 3)
    upcoming = UpcomingBatches(rows, [*rows], OrderPosition(1, 4, 9))
    assert upcoming.take(OrderPosition(1, 3, 9), 3) is None
    assert upcoming.take(OrderPosition(1, 4, 9), 2) is None
    taken = upcoming.take(OrderPosition(1, 4, 9), 3)
    assert taken is not None
    indices, behind = taken
    assert indices.tolist() == [0, 1, 2]
    assert behind == OrderPosition(1, 7, 9)
    assert type(behind) is OrderPosition
    assert upcoming.take(OrderPosition(1, 4, 9), 3) is None
    assert upcoming.take(behind, 3)[0].tolist() == [3, 4, 5]
    assert upcoming.take(OrderPosition(1, 10, 9), 3) is None
    with pytest.raises(ValueError, match="a row for every batch"):
        UpcomingBatches(rows, [], OrderPosition(0, 0, 0))


def test_every_file_has_a_label(tmp_path):
    names = Names.of(["a", "b"])
    with pytest.raises(ValueError, match="a row of labels for every file"):
        ListedFiles(reading_pool(), b"", names.packed, names.ends, np.zeros((1, 1), np.int32), 100)
    assert Storage().listed_files("https://example.com", names, np.zeros((2, 1), np.int32)) is None
    assert Other().listed_files(str(tmp_path), names, np.zeros((2, 1), np.int32)) is None


def test_a_reader_whose_error_refers_to_it_is_collected(folder):
    def failed() -> ref[Any]:
        reader = ndd.readers.File(file_root=folder, storage=in_memory())
        epoch = iter(reader.next_epoch(batch_size=3))
        next(epoch)
        prefetcher = reader._prefetcher
        assert prefetcher is not None
        for file in folder.glob("*/*.jpg"):
            file.unlink()
        with pytest.raises(RuntimeError, match="File mapping failed") as raised:
            list(epoch)
        raised.value.__cause__ = KeyError(reader, epoch, prefetcher)  # which the queue may still have
        return ref(prefetcher)

    prefetcher = failed()
    gc.collect()
    assert prefetcher() is None


def test_a_batch_that_somebody_else_took_meanwhile_is_not_handed_over_again(folder):
    """As where a handler of a signal reads on while the program waits for the batch."""
    reader = ndd.readers.File(file_root=folder, storage=in_memory())
    next(iter(reader.next_epoch(batch_size=3)))
    prefetcher = reader._prefetcher
    assert prefetcher is not None

    class TakenMeanwhile:
        """Looks batches up as the prefetcher does; during the first look, another one takes that batch."""

        def __init__(self, usual: Any) -> None:
            self.usual = usual

        def next(self, *arguments: Any) -> Any:
            handed = self.usual.next(*arguments)
            prefetcher._usual, prefetcher.place = self.usual, handed.behind
            return handed

        def fetch(self, *arguments: Any) -> Any:
            return self.usual.fetch(*arguments)

    prefetcher._usual = TakenMeanwhile(prefetcher._usual)
    assert prefetcher.next(8).batch.outputs[0].indices == [6, 7, 8]
