"""ndd.pytorch.nodes among the nodes of torchdata."""

from __future__ import annotations

import importlib
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.readers.core.order import LastBatch
from readers.promises import numbered_files

tn = pytest.importorskip("torchdata.nodes")
torch = pytest.importorskip("torch")

from penstock.dynamic.pytorch import nodes  # noqa: E402


def reader(root: Any, **options: Any) -> nodes.Reader:
    return nodes.Reader(ndd.readers.File, **{"batch_size": 3, "file_root": numbered_files(root, 7), **options})


def epoch(node: Any, key: str = "data") -> list[Any]:
    node.reset()
    made = []
    while True:
        try:
            made.append(np.ravel(node.next()[key].torch()).tolist())
        except StopIteration:
            return made


def test_a_model_learns_through_nodes(tmp_path):
    rng = np.random.default_rng(0)
    for name, place in (("a", 1), ("b", 6)):
        (tmp_path / name).mkdir()
        for number in range(24):
            picture = rng.normal(0, 0.2, (8, 8)).astype(np.float32)
            picture[:, place] += 1
            (tmp_path / name / f"{number}.raw").write_bytes(picture.tobytes())
    source = nodes.Reader(
        ndd.readers.File, batch_size=16, file_root=str(tmp_path), file_filters=["*.raw"], random_shuffle=True, seed=3
    )
    pictures = nodes.DictMapper(source, lambda raw: ndd.reinterpret(raw, dtype=ndd.float32, shape=[64]) * 2)
    loader = tn.Loader(tn.Prefetcher(nodes.ToTorch(pictures), prefetch_factor=2))
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(6):
        for images, labels in loader:
            loss = torch.nn.functional.cross_entropy(model(images), labels.flatten().long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
    assert len(losses) == 18
    assert np.mean(losses[-3:]) < 0.3 * losses[0]


def test_a_reader_gives_an_epoch_after_each_reset(tmp_path):
    node = reader(tmp_path)
    with pytest.raises(RuntimeError, match=r"Reader.next\(\) called before reset\(\)"):
        node.next()
    assert epoch(node) == [[48, 49, 50], [51, 52, 53], [54, 48, 49]]
    assert epoch(node) == [[50, 51, 52], [53, 54, 48], [49, 50, 51]]
    assert node.get_metadata()["epoch_size"] == 7


def loader(root: str, last_batch: LastBatch, prefetch: bool, restart: bool = True) -> Any:
    source = nodes.Reader(
        ndd.readers.File, batch_size=3, last_batch=last_batch, file_root=root, random_shuffle=True, initial_fill=4
    )
    node = nodes.ToTorch(nodes.DictMapper(source, lambda numbers: numbers - 48))
    return tn.Loader(tn.Prefetcher(node, prefetch_factor=2) if prefetch else node, restart_on_stop_iteration=restart)


def batches(loader: Any) -> list[Any]:
    return [np.ravel(images).tolist() for images, _ in loader]


@pytest.mark.parametrize("prefetch", [False, True])
@pytest.mark.parametrize("last_batch", ["fill", "partial"])
def test_a_loader_goes_on_from_a_state_at_every_step(tmp_path, last_batch, prefetch):
    root = numbered_files(tmp_path, 7)
    whole = loader(root, last_batch, prefetch)
    epochs, states = [], []
    for number in range(2):
        epochs.append([])
        states.append((number, 0, whole.state_dict()))
        for images, _ in whole:
            epochs[number].append(np.ravel(images).tolist())
            states.append((number, len(epochs[number]), whole.state_dict()))
    epochs.append(batches(whole))
    for number, step, state in states[1:]:
        resumed = loader(root, last_batch, prefetch)
        resumed.load_state_dict(pickle.loads(pickle.dumps(state)))
        rest = [epochs[number][step:]] if epochs[number][step:] else []
        expected = [*rest, *epochs[number + 1 :]]
        assert [batches(resumed) for _ in expected] == expected


def test_a_state_at_the_end_is_an_epoch_without_batches_where_the_loader_wants_it(tmp_path):
    first = loader(numbered_files(tmp_path, 7), "partial", prefetch=False)
    batches(first)
    state, following = first.state_dict(), batches(first)
    resumed = loader(str(tmp_path), "partial", prefetch=False, restart=False)
    resumed.load_state_dict(state)
    assert batches(resumed) == []
    assert batches(resumed) == following


def test_the_plugin_has_the_same_nodes():
    assert importlib.import_module("penstock.plugin.pytorch.nodes").Reader is nodes.Reader


def test_single_samples_and_names(tmp_path):
    node = reader(tmp_path, batch_size=None, output_names=["text", "class"])
    node.reset()
    sample = node.next()
    assert list(sample) == ["text", "class"]
    assert isinstance(sample["text"], ndd.Tensor)
    (tmp_path / "more").mkdir()
    alone = nodes.ToTorch(reader(tmp_path / "more", batch_size=None))
    assert [value.tolist() for value in _first(alone)] == [[48], [0]]


def _first(node: Any) -> Any:
    node.reset()
    return node.next()


@pytest.mark.filterwarnings("ignore:next_epoch")
def test_a_mapper_replaces_one_value(tmp_path):
    source = reader(tmp_path)
    assert epoch(nodes.DictMapper(source, lambda numbers: numbers - 48))[0] == [0, 1, 2]
    mapped = _first(nodes.DictMapper(source, lambda labels: labels + 5, key="label"))
    assert mapped["label"].torch().tolist() == [[5]] * 3
    assert mapped["data"].torch().tolist() == [[50], [51], [52]]
    with pytest.raises(KeyError, match="nothing"):
        _first(nodes.DictMapper(source, lambda value: value, key="nothing"))


def test_tensors_come_in_the_order_of_the_keys(tmp_path):
    images, labels = _first(nodes.ToTorch(reader(tmp_path)))
    assert (images.dtype, images.shape, labels.dtype, labels.shape) == (torch.uint8, (3, 1), torch.int32, (3, 1))
    ragged = nodes.DictMapper(reader(tmp_path / "class", batch_size=1, file_root=str(tmp_path)), lambda _: _ragged())
    with pytest.raises(ValueError, match="non-uniform shape"):
        _first(nodes.ToTorch(ragged))


def _ragged() -> ndd.Batch:
    return ndd.batch([np.zeros(k + 1, np.float32) for k in range(3)])


def test_names_are_needed_where_they_cannot_be_told(tmp_path):
    with pytest.raises(ValueError, match="Number of output names does not match number of outputs"):
        reader(tmp_path, output_names=["one"])
    with pytest.raises(ValueError, match="Cannot infer output names for reader COCO"):
        nodes.Reader(ndd.readers.COCO, batch_size=2, file_root="x", annotations_file="y")
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        nodes.Reader(ndd.readers.File, batch_size=2, nothing=1)


def test_without_torchdata_there_are_no_nodes(monkeypatch):
    monkeypatch.delitem(sys.modules, "penstock.dynamic.pytorch.nodes")
    monkeypatch.delattr(ndd.pytorch, "nodes")
    monkeypatch.setitem(sys.modules, "torchdata.nodes", None)
    assert not hasattr(ndd.pytorch, "nodes")
    with pytest.raises(ImportError, match=r"pip install penstock\[torchdata\]"):
        importlib.import_module("penstock.dynamic.pytorch.nodes")
