"""Readers that are copied, pickled, forked or held by a DataLoader open their files anew."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from itertools import islice
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from readers.every_reader import EVERY, reader_of
from readers.promises import contents, numbered_files

torch = pytest.importorskip("torch")

every_reader = pytest.mark.parametrize("name", EVERY)


def pickled(reader: Any) -> Any:
    return pickle.loads(pickle.dumps(reader))


def epochs(reader: Any, count: int = 2) -> list[Any]:
    return [[contents(outputs) for outputs in reader.next_epoch(batch_size=2)] for _ in range(count)]


@every_reader
@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_a_copy_reads_the_same(name, copied):
    reader = reader_of(name, 5, random_shuffle=True, initial_fill=3)
    before = copied(reader)
    reader.get_metadata()
    opened = copied(reader)
    expected = epochs(reader)
    assert type(before) is type(reader)
    assert epochs(before) == expected
    assert epochs(opened) == expected


@every_reader
@pytest.mark.parametrize("copied", [pickled, copy.deepcopy])
def test_a_copy_of_a_reader_that_has_run_goes_on_from_there(name, copied):
    reader = reader_of(name, 5, random_shuffle=True, initial_fill=3)
    epoch = reader.next_epoch(batch_size=2)
    next(epoch)
    other = copied(reader)
    rest = [contents(outputs) for outputs in epoch]
    assert epochs(other, 2) == [rest, *epochs(reader, 1)]


@every_reader
def test_a_state_dict_is_loaded_at_any_time(name):
    reader = reader_of(name, 5)
    assert reader.state_dict() == {"state": None}
    epoch = reader.next_epoch(batch_size=2)
    next(epoch)
    state = reader.state_dict()
    rest = [contents(outputs) for outputs in epoch]
    expected = [rest, *epochs(reader, 1)]
    reader.load_state_dict(state)
    assert reader.state_dict() == state
    assert epochs(reader, 2) == expected
    new = reader_of(name, 5)
    new.load_state_dict(pickled(state))
    assert epochs(new, 2) == expected
    new.load_state_dict({"state": None})
    assert len(epochs(new, 1)[0]) == 3
    with pytest.raises(KeyError, match="state"):
        new.load_state_dict({})


@pytest.mark.filterwarnings("ignore:next_epoch")
def test_a_compiled_loop_goes_on_from_a_state_dict(tmp_path):
    reader = ndd.readers.File(file_root=numbered_files(tmp_path, 7))

    def doubled(count: int) -> list[list[Any]]:
        epoch = reader.next_epoch(batch_size=2, last_batch="partial", compile=True)
        return [np.ravel((files * 2).torch()).tolist() for files, _ in islice(epoch, count)]

    doubled(9)
    first = doubled(2)
    state = reader.state_dict()
    rest = doubled(9)
    reader.load_state_dict(state)
    assert doubled(9) == rest
    assert doubled(9) == first + rest


class Photos(torch.utils.data.IterableDataset):  # type: ignore[misc]
    """What a program with a DataLoader writes: the reader is made where the program begins."""

    def __init__(self, root: str) -> None:
        self.reader = ndd.readers.File(file_root=root)
        self.reader.get_metadata()

    def __iter__(self) -> Any:
        for files, _ in self.reader.next_epoch(batch_size=3, last_batch="partial"):
            yield np.ravel(files.torch()).tolist()

    def state_dict(self) -> Any:
        return self.reader.state_dict()

    def load_state_dict(self, state: Any) -> None:
        self.reader.load_state_dict(state)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_data_set_holds_a_reader_in_the_workers_of_a_loader(tmp_path, start):
    photos = Photos(numbered_files(tmp_path, 7))
    context = multiprocessing.get_context(start)
    loader = torch.utils.data.DataLoader(photos, batch_size=None, num_workers=1, multiprocessing_context=context)
    expected = [[48, 49, 50], [51, 52, 53], [54]]
    for _ in range(2):
        assert [*loader] == expected
    assert photos.reader.state_dict() == {"state": None}


@pytest.mark.filterwarnings("ignore:'set_vital' is deprecated")
@pytest.mark.parametrize("workers", [0, 1])
def test_a_stateful_loader_goes_on_exactly(tmp_path, workers):
    stateful = pytest.importorskip("torchdata.stateful_dataloader")
    root = numbered_files(tmp_path, 7)

    def loader() -> Any:
        return stateful.StatefulDataLoader(Photos(root), batch_size=None, num_workers=workers)

    first = loader()
    running = iter(first)
    assert next(running) == [48, 49, 50]
    state = first.state_dict()
    resumed = loader()
    resumed.load_state_dict(pickled(state))
    assert [*resumed] == [*running] == [[51, 52, 53], [54]]


class NumberedPhotos(torch.utils.data.Dataset):  # type: ignore[misc]
    """A data set by number, whose samples are Tensors."""

    def __init__(self, root: str) -> None:
        self.reader = ndd.readers.File(file_root=root)

    def __len__(self) -> int:
        return len(self.reader)

    def __getitem__(self, index: int) -> Any:
        files, labels = self.reader.read([index])
        return (files * 2).tensors[0], labels.tensors[0]


@pytest.mark.parametrize(("workers", "start"), [(0, None), (2, "fork"), (2, "spawn")])
def test_a_loader_asks_for_samples_by_number(tmp_path, workers, start):
    photos = NumberedPhotos(numbered_files(tmp_path, 7))
    loader = torch.utils.data.DataLoader(photos, batch_size=3, num_workers=workers, multiprocessing_context=start)
    batches = [(files.flatten().tolist(), labels.shape) for files, labels in loader]
    assert [each for files, _ in batches for each in files] == [2 * byte for byte in b"0123456"]
    assert [tuple(shape) for _, shape in batches] == [(3, 1), (3, 1), (1, 1)]
