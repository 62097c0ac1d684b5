"""`penstock.torch.Loader` in the place of a DataLoader."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import penstock
import penstock.dynamic as ndd
from messages import told
from penstock.torch import Loader
from readers.promises import numbered_files


@pytest.fixture
def root(tmp_path):
    return numbered_files(tmp_path, 7)


def numbers(files, labels):
    """What the files hold, times ten plus a random digit: an order and an augmentation."""
    drawn = ndd.random.uniform(range=(0, 9), batch_size=len(files))
    return (ndd.cast(files.slice[0], dtype=ndd.int32) - 48) * 10 + ndd.cast(drawn, dtype=ndd.int32)


def made(root: str, batch_size: int = 3, **options: Any) -> Loader:
    reader = ndd.readers.File(file_root=root, shuffle_after_epoch=True, shard_id=options.pop("shard_id", 0),
                              num_shards=options.pop("num_shards", 1))  # fmt: skip
    return Loader(reader, options.pop("fn", numbers), batch_size=batch_size, **options)


def epoch(loader: Loader, count: int | None = None) -> list[list[int]]:
    return [batch.tolist() for batch in islice(loader, count)]


def samples(batches: list[list[int]]) -> list[int]:
    return [number // 10 for batch in batches for number in batch]


@pytest.mark.parametrize("compiled", [True, False])
def test_epochs_are_those_of_the_reader(root, compiled):
    loader = made(root, compile=compiled)
    assert penstock.torch.Loader is Loader
    assert (len(loader), len(loader.dataset), loader.batch_size) == (3, 7, 3)
    reader = ndd.readers.File(file_root=root, shuffle_after_epoch=True)
    for number in range(3):
        assert loader.epoch == number
        expected = [int(bytes(np.asarray(file))) for files, _ in reader.next_epoch(7) for file in files]
        batches = epoch(loader)
        assert [len(batch) for batch in batches] == [3, 3, 1]
        assert samples(batches) == expected


def test_what_is_compiled_is_what_is_not(root):
    runs = []
    for compiled in (True, False):
        ndd.random.set_seed(5)
        loader = made(root, compile=compiled)
        runs.append([epoch(loader) for _ in range(3)])
    assert runs[0] == runs[1]


@pytest.mark.parametrize(("last_batch", "sizes"), [("partial", [3, 3, 1]), ("drop", [3, 3]), ("pad", [3, 3, 3])])
def test_the_last_batch(root, last_batch, sizes):
    loader = made(root, last_batch=last_batch)
    assert len(loader) == len(sizes)
    assert [len(batch) for batch in epoch(loader)] == sizes


def test_a_loop_that_is_left_early_is_over(root):
    loader = made(root)
    orders = [samples(epoch(loader)) for _ in range(4)]
    loader = made(root)
    assert samples(epoch(loader, 1)) == orders[0][:3]
    assert samples(epoch(loader)) == orders[1]
    running = iter(loader)
    next(running)
    assert samples(epoch(loader)) == orders[3]
    assert [*running] == []


def test_an_epoch_left_after_its_last_batch_is_followed_by_the_next(root):
    loader = made(root)
    orders = [samples(epoch(loader)) for _ in range(2)]
    loader = made(root)
    assert samples(epoch(loader, 3)) == orders[0]
    assert samples(epoch(loader)) == orders[1]


@pytest.mark.parametrize("steps", range(10))
def test_a_run_goes_on_exactly_from_any_step(root, steps):
    """As many steps in epochs of three, the state, and the rest: the order, and what was drawn."""
    ndd.random.set_seed(8)
    loader = made(root)
    run, state = [], loader.state_dict()
    for _ in range(4):
        run.append([])
        for batch in loader:
            run[-1].append(batch.tolist())
            if sum(map(len, run)) == steps:
                state = loader.state_dict()
    number = max(steps - 1, 0) // 3
    ndd.random.set_seed(99)
    resumed = made(root)
    resumed.load_state_dict(pickle.loads(pickle.dumps(state)))
    assert resumed.epoch == number
    resumed.set_epoch(number)  # as frameworks do before every epoch
    assert [epoch(resumed) for _ in range(4 - number)] == [run[number][steps - 3 * number :], *run[number + 1 :]]


def test_a_state_between_epochs_begins_a_whole_one(root):
    ndd.random.set_seed(8)
    loader = made(root)
    epoch(loader)
    state = loader.state_dict()
    expected = epoch(loader)
    loader.load_state_dict(state)
    assert (loader.epoch, epoch(loader)) == (1, expected)


@pytest.mark.parametrize("last_batch", ["partial", "drop", "pad"])
@pytest.mark.parametrize("shuffle", ["shuffle_after_epoch", "random_shuffle", "sampler", None])
def test_set_epoch_begins_that_epoch(root, shuffle, last_batch):
    own = torch.utils.data.DistributedSampler(range(7), num_replicas=1, rank=0)
    options = {} if shuffle is None else {shuffle: own if shuffle == "sampler" else True}

    def fresh() -> Loader:
        return Loader(ndd.readers.File(file_root=root, **options), numbers, batch_size=3, last_batch=last_batch)

    loader = fresh()
    orders = [samples(epoch(loader)) for _ in range(4)]
    loader = fresh()
    for number in (2, 3, 0, 1):
        loader.set_epoch(number)
        assert (loader.epoch, samples(epoch(loader))) == (number, orders[number])
    loader.set_epoch(2)
    next(iter(loader))
    loader.set_epoch(2)
    assert samples(epoch(loader)) == orders[2]
    with pytest.raises(ValueError, match="an epoch is a number from 0 on, got -1"):
        loader.set_epoch(-1)


def test_shards_share_out_every_epoch(root):
    loaders = [made(root, shard_id=shard, num_shards=2, last_batch="drop", batch_size=2) for shard in (0, 1)]
    assert [len(loader) for loader in loaders] == [1, 1]
    for number in (4, 1):
        seen: Counter[int] = Counter()
        for loader in loaders:
            loader.set_epoch(number)
            seen.update(samples(epoch(loader)))
        assert set(seen.values()) == {1}
        assert len(seen) == 4


class Pair(NamedTuple):
    files: Any
    labels: Any


@pytest.mark.parametrize("device", [None, "meta"])
def test_whatever_is_returned_holds_torch_tensors(root, device):
    def nested(files, labels):
        return {"pair": Pair(files, labels), "list": [labels, 3, "text"], "each": labels.tensors, "own": labels.torch()}

    batch = next(iter(made(root, fn=nested, device=device)))
    expected = torch.device(device or "cpu")
    assert type(batch["pair"]) is Pair
    assert batch["list"][1:] == [3, "text"]
    assert [tensor.shape for tensor in batch["each"]] == [(1,)] * 3
    for tensor in (*batch["pair"], batch["list"][0], *batch["each"], batch["own"]):
        assert isinstance(tensor, torch.Tensor)
        assert tensor.device == expected


def test_without_a_function_it_hands_out_what_the_reader_does(root):
    files, labels = next(iter(made(root, fn=None)))
    assert (files.shape, labels.tolist()) == ((3, 1), [[0]] * 3)


def test_a_reader_of_dicts_gives_its_function_a_dict(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pa.table({"x": [1, 2, 3], "y": [4, 5, 6]}), tmp_path / "t")
    loader = Loader(ndd.readers.Parquet(path=tmp_path / "t"), lambda rows: rows["x"] * rows["y"], batch_size=2)
    assert epoch(loader) == [[4, 10], [18]]
    assert [{name: t.tolist() for name, t in rows.items()} for rows in Loader(loader.dataset, batch_size=2)] == [
        {"x": [1, 2], "y": [4, 5]},
        {"x": [3], "y": [6]},
    ]


def test_samples_of_different_shapes_ask_for_padding(tmp_path):
    root = numbered_files(tmp_path, 12)
    with pytest.raises(ValueError, match="pad"):
        epoch(Loader(ndd.readers.File(file_root=root), batch_size=12))
    padded = Loader(ndd.readers.File(file_root=root), lambda files, labels: files.torch(pad=True), batch_size=12)
    assert next(iter(padded)).shape == (12, 2)


def test_an_error_tells_the_line_and_the_file_and_the_loader_goes_on(root):
    loader = made(root, fn=lambda files, labels: ndd.decoders.image(files))
    with pytest.raises(RuntimeError) as caught:
        next(iter(loader))
    assert "decoders.image" in told(caught.value)
    assert "test_loader.py" in told(caught.value)
    loader.set_epoch(0)
    with pytest.raises(RuntimeError):
        next(iter(loader))


def test_two_loaders_side_by_side(root):
    ndd.random.set_seed(1)
    alone = [samples(epoch(made(root, batch_size=size))) for size in (3, 2)]
    loaders = made(root), made(root, batch_size=2)
    pairs = [*zip(*loaders, strict=False)]
    assert not ndd.capture.report().not_captured
    assert samples([left.tolist() for left, _ in pairs]) == alone[0]
    assert samples([right.tolist() for _, right in pairs]) == alone[1][:6]


def test_what_the_program_calls_between_batches_is_its_own(root):
    ndd.random.set_seed(1)
    expected = samples(epoch(made(root)))
    seen = []
    for batch in made(root):
        assert ndd.random.uniform(range=(0, 1), batch_size=5).batch_size == 5
        assert [jpegs.batch_size for jpegs, _ in ndd.readers.File(file_root=root).next_epoch(4)] == [4, 4]
        assert [len(other) for other in made(root, batch_size=4)] == [4, 3]
        seen.append(batch.tolist())
    assert samples(seen) == expected
    assert not ndd.capture.report().not_captured


def test_wrong_arguments_are_refused(root):
    with pytest.raises(TypeError, match=r"a Loader takes a reader, such as ndd.readers.File\(...\), got list"):
        Loader([1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="last_batch is one of"):
        made(root, last_batch="drop_last")
    with pytest.raises(RuntimeError, match="whole numbers from 1 on"):
        made(root, batch_size=0)


class Stream(torch.utils.data.IterableDataset):
    """A Loader for each worker of a DataLoader, over its part of the samples: as the guide on PyTorch has it."""

    def __init__(self, root: str) -> None:
        self.reader = ndd.readers.File(file_root=root, shuffle_after_epoch=True)
        self.epoch = 0

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        reader = self.reader if worker is None else self.reader.shard(worker.id, worker.num_workers)
        loader = Loader(reader, numbers, batch_size=3)
        loader.set_epoch(self.epoch)
        yield from loader


@pytest.mark.parametrize("workers", [0, 2])
def test_the_workers_of_a_data_loader_share_out_every_epoch(root, workers):
    stream = pickle.loads(pickle.dumps(Stream(root)))  # as workers that are spawned get it
    orders = []
    for stream.epoch in range(2):
        batches = [*torch.utils.data.DataLoader(stream, batch_size=None, num_workers=workers)]
        assert all(isinstance(batch, torch.Tensor) for batch in batches)
        orders.append(samples([batch.tolist() for batch in batches]))
        assert sorted(orders[-1]) == [*range(7)]
    assert orders[0] != orders[1]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda loader: pickle.loads(pickle.dumps(loader))])
@pytest.mark.parametrize("steps", [0, 2, 3])
def test_a_copy_goes_on_where_the_loader_stands(root, copied, steps):
    loader = made(root)
    running = iter(loader)
    for _ in range(steps):
        next(running)
    other = copied(loader)
    rest = samples([batch.tolist() for batch in running])
    assert samples(epoch(other)) == rest
    assert samples(epoch(other)) == samples(epoch(loader))


def test_pinned_memory_is_copied_to_the_device_while_the_program_goes_on(root, monkeypatch):
    """What only an accelerator does is noted here: that each tensor is pinned once, and moved without waiting."""
    done = []

    def pinned(tensor: torch.Tensor) -> torch.Tensor:
        done.append(("pin", tensor.device.type))
        return tensor.clone()

    def moved(tensor: torch.Tensor, device: torch.device, non_blocking: bool) -> torch.Tensor:
        done.append((str(device), non_blocking))
        return tensor.clone()

    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.Tensor, "pin_memory", pinned)
    monkeypatch.setattr(torch.Tensor, "to", moved)
    loader = made(root, batch_size=7, pin_memory=True, device="cuda:1", fn=lambda files, labels: (files, [labels]))
    files, [labels] = next(iter(loader))
    assert done == [("pin", "cpu"), ("cuda:1", True)] * 2
    assert sorted(files.flatten().tolist()) == [*b"0123456"]
    assert labels.shape == (7, 1)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("mps"))
    assert not made(root, pin_memory=True).pin_memory


def test_memory_is_pinned_where_there_is_an_accelerator(root):
    if torch.accelerator.is_available():
        assert next(iter(made(root, pin_memory=True))).is_pinned()
        return
    with pytest.warns(UserWarning, match="torch finds no accelerator"):
        loader = made(root, pin_memory=True)
    assert not next(iter(loader)).is_pinned()
