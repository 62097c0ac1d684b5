"""Pipelines where the CPU stands in for a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch

from penstock import Pipeline, fn, pipeline_def, types
from penstock.dynamic.calls.functions import declaration
from penstock.pipeline import experimental
from penstock.pipeline.values.tensors import TensorGPU, TensorListCPU, TensorListGPU
from penstock.plugin.pytorch import DALIClassificationIterator, DALIGenericIterator, LastBatchPolicy, feed_ndarray

pytestmark = pytest.mark.usefixtures("any_gpu")

OPTIONS: dict[str, Any] = {"batch_size": 3, "num_threads": 2, "device_id": 0, "seed": 5}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    random = np.random.default_rng(0)
    for k in range(7):
        (tmp_path / str(k % 2)).mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / str(k % 2) / f"{k}.jpg"), random.integers(0, 256, (24, 32 + k, 3), np.uint8))
    return str(tmp_path)


@pipeline_def
def training(folder: str, decoder: str = "mixed", move: bool = False) -> Any:
    data, labels = fn.readers.file(file_root=folder, name="Reader", pad_last_batch=True)
    images = fn.decoders.image(data, device=decoder)
    images = fn.resize(images.gpu() if move else images, size=[16, 16])
    mirror = fn.random.coin_flip()
    images = fn.crop_mirror_normalize(images, mirror=mirror, dtype=types.FLOAT, output_layout="CHW")
    return images, labels.gpu() if move or decoder == "mixed" else labels


@pytest.mark.parametrize("debug", [False, True])
def test_outputs_are_on_the_gpu(folder: str, debug: bool) -> None:
    make = experimental.pipeline_def(training.__wrapped__, debug=True) if debug else training
    images, labels = make(folder, **OPTIONS).run()
    assert (type(images), type(labels)) == (TensorListGPU, TensorListGPU)
    assert (images.device_id(), len(images), images.layout()) == (0, 3, "CHW")
    on_cpu, _ = training(folder, "cpu", **OPTIONS).run()
    assert type(on_cpu) is TensorListCPU
    assert np.allclose(images.as_cpu().as_array(), on_cpu.as_array(), atol=1)
    assert type(images[0]) is type(images.as_tensor()) is TensorGPU
    assert images.as_tensor().shape() == [3, 3, 16, 16]
    assert 'device="gpu:0"' in str(images)
    assert not hasattr(images, "as_array")
    assert not hasattr(images[0], "__array__")


@pytest.mark.parametrize("move", [False, True])
def test_the_chain_stays_one_pass(folder: str, move: bool, stand_in: None) -> None:
    pipeline = training(folder, "cpu" if move else "mixed", move, **OPTIONS)
    text = str(pipeline.explain())
    between = text[text.index("decoders.image") : text.index("crop_mirror_normalize")]
    assert "stage" not in between
    assert "one native pass" in text[: text.index("decoders.image")].splitlines()[-2]
    expected, _ = training(folder, "cpu", **OPTIONS).run()
    assert np.array_equal(pipeline.run()[0].as_cpu().as_array(), expected.as_array())


def test_iterators_hand_out_tensors(folder: str) -> None:
    batches = DALIClassificationIterator(
        training(folder, **OPTIONS), reader_name="Reader", last_batch_policy=LastBatchPolicy.PARTIAL
    )
    shapes = [tuple(batch["data"].shape) for [batch] in batches]
    assert shapes == [(3, 3, 16, 16), (3, 3, 16, 16), (1, 3, 16, 16)]
    pipelines = [training(folder, **{**OPTIONS, "device_id": number}) for number in (0, 1)]
    first, second = next(DALIGenericIterator(pipelines, ["x", "y"], reader_name="Reader"))
    assert torch.equal(first["x"], second["x"])
    images, _ = training(folder, **OPTIONS).run()
    assert torch.equal(feed_ndarray(images, torch.empty(3, 3, 16, 16)), first["x"])


def test_the_gpu_is_that_of_the_pipeline(folder: str) -> None:
    images, _ = training(folder, **{**OPTIONS, "device_id": 1}).run()
    assert images.device_id() == 1
    with pytest.raises(RuntimeError, match=r"requires a CUDA-capable GPU, and its device_id is None"):
        training(folder, **{**OPTIONS, "device_id": None}).build()
    with pytest.raises(ValueError, match=r"Invalid device id: 2 .* \[0..1\]"):
        training(folder, **{**OPTIONS, "device_id": 2}).build()


def one() -> Any:
    return fn.constant(idata=1, shape=[2, 2, 3])


@pytest.mark.parametrize(
    ("define", "message"),
    [
        (lambda: fn.flip(one(), device="gpu"), 'The input 0 for gpu operator .* incompatible device "cpu"'),
        (lambda: fn.cat(one().gpu(), one()), "The input 1 for gpu operator `nvidia.dali.fn.cat`"),
        (lambda: fn.decoders.image(one(), device="gpu"), 'in pipelines is device="mixed"'),
        (lambda: fn.flip(one(), device="mixed"), 'not registered for device "mixed"'),
        (lambda: fn.zeros(shape=[1], device="gpu"), "it runs on the CPU"),
        (lambda: fn.bbox_paste(one().gpu(), ratio=2.0), "The input 0 for cpu operator `nvidia.dali.fn.bbox_paste`"),
    ],
)
def test_devices_that_do_not_fit_are_refused_at_the_definition(define: Any, message: str) -> None:
    with pytest.raises((RuntimeError, ValueError), match=message):
        pipeline_def(define, **OPTIONS)()


def test_what_has_no_kernel_is_refused_when_the_pipeline_is_built(
    any_gpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declaration("equalize"), "gpu_function", None)
    pipeline = pipeline_def(lambda: fn.equalize(fn.cast(one(), dtype=types.UINT8).gpu()), **OPTIONS)()
    if any_gpu == "cpu":
        pipeline.build()
    else:
        with pytest.raises(NotImplementedError, match=r"equalize has no GPU kernel yet; .*`\.cpu\(\)`"):
            pipeline.build()


SERVED: dict[str, Any] = {
    "copied": lambda: fn.copy(one(), device="gpu"),
    "constant": lambda: fn.constant(idata=1, device="gpu"),
    "types.Constant": lambda: types.Constant([1, 1], device="gpu"),
    "random": lambda: fn.random.uniform(device="gpu"),
    "arithmetic": lambda: one().gpu() + one(),
    "subscript": lambda: one().gpu()[0],
    "slice": lambda: fn.slice(one().gpu(), 0.0, 0.5, axes=[0]),
    "external source": lambda: fn.external_source(lambda: np.ones((3, 2)), device="gpu"),
    "twice": lambda: (lambda node: node.gpu() + node.gpu())(one()),
    "back and forth": lambda: fn.flip(fn.flip(fn.flip(one().gpu()).cpu()).gpu()),
}


@pytest.mark.parametrize("name", SERVED)
def test_what_runs_on_a_gpu(name: str) -> None:
    [output] = pipeline_def(SERVED[name], **OPTIONS)().run()
    assert type(output) is TensorListGPU
    assert output.as_cpu().as_array().all()


def test_regions_of_arrays_are_read_to_the_gpu(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(4.0))

    @pipeline_def
    def regions() -> Any:
        start = fn.constant(idata=1)
        return fn.readers.numpy(file_root=str(tmp_path), roi_start=start, device="gpu")

    [output] = regions(**OPTIONS).run()
    assert type(output) is TensorListGPU
    assert output[0].as_cpu().shape() == [3]


def test_data_comes_back_only_where_the_executor_can(folder: str) -> None:
    @pipeline_def
    def back() -> Any:
        return fn.flip(one().gpu()).cpu()

    assert type(back(**OPTIONS).run()[0]) is TensorListCPU
    separate = {"prefetch_queue_depth": {"cpu_size": 2, "gpu_size": 2}}
    for options in ({"exec_dynamic": False}, {"exec_async": False}, separate):
        with pytest.raises(RuntimeError, match="doesn't support transition from GPU to CPU"):
            back(**OPTIONS, **options).build()


def test_conditionals_and_python_functions(folder: str) -> None:
    @pipeline_def(enable_conditionals=True)
    def branches() -> Any:
        image = one().gpu()
        if fn.random.coin_flip(probability=1.0, dtype=types.BOOL):
            image = image + 1
        return image

    [output] = branches(**OPTIONS).run()
    assert type(output) is TensorListGPU
    assert (output.as_cpu().as_array() == 2).all()


def test_a_definition_that_is_written_down_runs_on_the_gpu() -> None:
    pipeline = Pipeline(**OPTIONS)
    pipeline.set_outputs(fn.copy(one()).gpu())
    [output] = Pipeline.deserialize(pipeline.serialize()).run()
    assert type(output) is TensorListGPU


def test_what_a_pipeline_made_goes_into_dynamic_mode_and_back(folder: str) -> None:
    import penstock.dynamic as ndd

    images, _ = training(folder, **OPTIONS).run()
    batch = ndd.as_batch(images)
    assert str(batch.device) == "gpu:0"
    pipeline = pipeline_def(lambda: fn.external_source(name="x", device="gpu"), **OPTIONS, prefetch_queue_depth=1)()
    pipeline.feed_input("x", images)
    [again] = pipeline.run()
    assert np.array_equal(again.as_cpu().as_array(), images.as_cpu().as_array())
    assert TensorListGPU([images[0], images[1]]).as_cpu().as_array().shape == (2, 3, 16, 16)
