"""Pipelines in PyTorch's training loops."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
import torch

from penstock import fn, pipeline_def
from penstock.plugin.pytorch import (
    DALIClassificationIterator,
    DALIGenericIterator,
    DALIRaggedIterator,
    LastBatchPolicy,
    to_torch_tensor,
)
from plugin.pipelines import counted, digits, epoch, of_files, of_source

TYPES = [
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
]


def ragged(iteration: int) -> list[Any]:
    return [np.arange(1, k + 2, dtype=np.float32) for k in range(3)]


def bars(iteration: int) -> tuple[Any, Any]:
    """Pictures of a bar, on the left or on the right."""
    generator = np.random.default_rng(iteration)
    labels = generator.integers(0, 2, 16)
    images = generator.normal(0, 0.2, (16, 8, 8, 1)).astype(np.float32)
    images[np.arange(16), :, labels * 6 + 1] += 1
    return images, labels.astype(np.int64)


def test_a_model_learns_from_a_pipeline():
    @pipeline_def(batch_size=16, num_threads=2, device_id=None, seed=1)
    def training() -> Any:
        images, labels = fn.external_source(bars, num_outputs=2, layout=["HWC", None])
        images = fn.crop_mirror_normalize(images, mean=[0.1], std=[0.5], output_layout="CHW")
        return images + fn.random.uniform(range=[-0.1, 0.1]), labels

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    batches = DALIClassificationIterator(training(), size=160, auto_reset=True)
    for _ in range(3):
        for [batch] in batches:
            loss = torch.nn.functional.cross_entropy(model(batch["data"]), batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
    assert len(losses) == 30
    assert np.mean(losses[-5:]) < 0.3 * losses[0]


@pytest.mark.parametrize("name", TYPES)
def test_types_are_kept(name):
    [batch] = next(DALIGenericIterator(of_source(lambda: np.ones((3, 2), name)), ["x"], size=6))
    assert batch["x"].dtype is getattr(torch, name)
    assert batch["x"].tolist() == np.ones((3, 2), name).tolist()


def test_tensors_lie_over_the_outputs_and_are_kept():
    source = of_source(lambda i: np.full((3, 2), i, np.float32))
    outputs: list[Any] = []
    taken = source._taken
    source._taken = lambda: outputs.append(taken()) or outputs[-1]  # type: ignore[method-assign]
    batches = DALIGenericIterator(source, ["x"], size=30)
    kept = [next(batches)[0]["x"] for _ in range(5)]
    assert kept[0].data_ptr() == np.asarray(outputs[0][0].as_tensor()).ctypes.data
    outputs.clear()
    gc.collect()
    assert [tensor[0, 0].item() for tensor in kept] == [0, 1, 2, 3, 4]


def test_outputs_over_one_memory_are_parted_and_scattered_ones_joined():
    @pipeline_def(batch_size=3, num_threads=1, device_id=None)
    def define() -> Any:
        rows = fn.external_source(lambda: np.arange(6, dtype=np.float32).reshape(3, 2))
        return rows, rows, fn.permute_batch(rows, indices=[2, 0, 1]), np.float32(3)

    [batch] = next(DALIGenericIterator(define(), ["a", "b", "c", "d"], size=3))
    batch["a"].zero_()
    assert batch["b"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert batch["c"].tolist() == [[4, 5], [0, 1], [2, 3]]
    assert batch["d"].tolist() == [3, 3, 3]


def test_the_next_batches_are_made_meanwhile():
    made = threading.Semaphore(0)

    def source(iteration: int) -> Any:
        made.release()
        return np.full((3, 1), iteration, np.int32)

    batches = DALIGenericIterator(of_source(source, options={"prefetch_queue_depth": 2}), ["number"], size=30)
    assert digits(next(batches)) == "000"
    for _ in range(3):  # that batch and two ahead
        assert made.acquire(timeout=60)


@pytest.mark.parametrize("size", [-1, 9, 12])
@pytest.mark.parametrize("policy", LastBatchPolicy)
def test_an_epoch_ends_with_the_source(size, policy):
    def iterated(cycle: str, **options: Any) -> Any:
        pipeline = of_source(counted(3), cycle=cycle)
        return DALIGenericIterator(pipeline, ["number"], size=size, last_batch_policy=policy, **options)

    assert [epoch(batches) for batches in [iterated("raise")] for _ in range(3)] == ["000 111 222"] * 3
    assert [epoch(batches) for batches in [iterated("raise", auto_reset=True)] for _ in range(3)] == ["000 111 222"] * 3
    ended = iterated("no")
    assert [epoch(ended), epoch(ended)] == ["000 111 222", ""]


def test_batches_of_any_size_where_the_source_ends_the_epoch():
    parts = [np.zeros((3, 1), np.int32), np.ones((2, 1), np.int32)]
    assert epoch(DALIGenericIterator(of_source(parts), ["number"])) == "000 11"
    with pytest.raises(AssertionError, match="Variable batch size is not supported"):
        epoch(DALIGenericIterator(of_source(parts), ["number"], size=6))


def test_epochs_of_a_padded_reader_keep_their_length_where_samples_cannot_be_read(tmp_path):
    pipeline = of_files(tmp_path, on_error="skip", pad_last_batch=True)
    (tmp_path / "4.bin").unlink()
    policy = LastBatchPolicy.PARTIAL
    batches = DALIGenericIterator(pipeline, ["number", "drawn"], reader_name="files", last_batch_policy=policy)
    assert [epoch(batches), epoch(batches)] == ["012 335 6"] * 2


def test_a_loop_that_is_left_goes_on_where_it_stood(tmp_path, caplog):
    batches = DALIGenericIterator(of_files(tmp_path), ["number", "drawn"], reader_name="files")
    assert digits(next(iter(batches))) == "012"
    batches.reset()
    assert "does not support resetting while epoch is not finished" in caplog.text
    assert epoch(batches) == "345 601"
    assert [digits(batches.next()) for _ in iter(batches)] == ["560"]


def test_a_whole_epoch_counts_as_finished_before_it_is_over(tmp_path):
    batches = DALIGenericIterator(
        of_files(tmp_path), ["number", "drawn"], reader_name="files", last_batch_policy=LastBatchPolicy.DROP
    )
    assert [digits(next(batches)) for _ in range(len(batches))] == ["012", "345"]
    batches.reset()
    assert [digits(next(batches)) for _ in range(len(batches))] == ["234", "560"]


@pytest.mark.parametrize("several", [False, True])
def test_an_error_names_its_place_and_the_next_batch_goes_on(several):
    @pipeline_def(batch_size=3, num_threads=1, device_id=None)
    def crops(wrong: int) -> Any:
        rows = fn.external_source(
            lambda i: [np.full((4, 3 if i == wrong else 6, 1), i, np.uint8)] * 3, layout="HWC", name="rows"
        )
        return fn.crop(rows, crop=[1, 5])

    pipelines = [crops(1), crops(2)] if several else [crops(1)]
    batches = DALIGenericIterator(pipelines, ["number"], size=12 * len(pipelines), auto_reset=True)
    made = []
    for _ in range(4):
        try:
            made.append(digits([{"number": each["number"][:, 0, 0]} for each in next(batches)]))
        except RuntimeError as error:
            made.append("failed")
            notes = "".join(getattr(error, "__notes__", error.args))
            assert "in crop, sample 0, called at" in notes
            assert "return fn.crop(rows, crop=[1, 5])" in notes
    assert made == (["000/000", "failed", "failed", "333/333"] if several else ["000", "failed", "222", "333"])
    with pytest.raises(StopIteration):
        next(batches)
    assert len(next(batches)) == len(pipelines)


def test_no_thread_is_left_behind():
    before = {*threading.enumerate()}
    batches = DALIGenericIterator(of_source(counted(5)), ["number"], size=9)
    next(batches)
    started = [thread for thread in threading.enumerate() if thread not in before]
    assert started
    del batches
    gc.collect()
    for thread in started:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in started)


def test_ragged_outputs():
    def iterated(*types: str, **options: Any) -> Any:
        pipeline = of_source(lambda i: (ragged(i), np.ones((3, 2), np.int32)), num_outputs=2)
        return DALIRaggedIterator(pipeline, ["r", "d"], size=4, output_types=types or None, **options)

    tags = DALIRaggedIterator.DENSE_TAG, DALIRaggedIterator.SPARSE_LIST_TAG, DALIRaggedIterator.SPARSE_COO_TAG
    assert tags == ("dense", "sparse_list", "sparse_coo")
    [batch] = next(iterated("sparse_list", "dense"))
    assert [tensor.tolist() for tensor in batch["r"]] == [[1], [1, 2], [1, 2, 3]]
    assert batch["d"].shape == (3, 2)
    [batch] = next(iterated("sparse_coo", "sparse_coo"))
    assert batch["r"].to_dense().tolist() == [[1, 0, 0], [1, 2, 0], [1, 2, 3]]
    assert batch["r"].coalesce().indices().shape == (2, 6)
    assert batch["d"].to_dense().tolist() == [[1, 1]] * 3
    for types in (("sparse_list", "dense"), ("sparse_coo", "dense")):
        _, [last] = iterated(*types, last_batch_policy=LastBatchPolicy.PARTIAL)
        assert len(last["r"]) == 1
    scalars = of_source(lambda: np.arange(3, dtype=np.int32))
    [batch] = next(DALIRaggedIterator(scalars, ["s"], size=6, output_types=["sparse_coo"]))
    assert batch["s"].to_dense().tolist() == [0, 1, 2]
    with pytest.raises(RuntimeError, match=r'output "r" make no tensor, for their shapes differ: \(1,\), \(2,\)'):
        iterated()
    with pytest.raises(AssertionError, match="Only DENSE_TAG, SPARSE_LIST_TAG and SPARSE_COO_TAG are allowed"):
        iterated("dense", "coo")
    with pytest.raises(IndexError, match="2 outputs are named, output_types tells of 1"):
        iterated("dense")


def test_an_empty_last_batch(tmp_path):
    pipeline = of_files(tmp_path, num_shards=2, pad_last_batch=True)
    types = ["sparse_coo", "sparse_list"]
    batches = DALIRaggedIterator(
        pipeline,
        ["number", "drawn"],
        reader_name="files",
        output_types=types,
        last_batch_policy=LastBatchPolicy.PARTIAL,
    )
    _, [last] = batches
    assert (last["number"].shape, last["number"].dtype, last["drawn"]) == ((0, 0), torch.uint8, [])


def test_outputs_become_tensors_over_their_memory_or_copies() -> None:
    [output] = of_source(lambda: np.ones((3, 2), np.float32)).run()
    whole = output.as_tensor()
    shared = to_torch_tensor(whole, copy=False)
    assert shared.data_ptr() == whole.data_ptr()
    copied = to_torch_tensor(whole, copy=True)
    assert copied.data_ptr() != whole.data_ptr()
    assert torch.equal(copied, torch.ones(3, 2))
    assert torch.equal(to_torch_tensor(output, copy=False), copied)
