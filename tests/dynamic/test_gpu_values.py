"""Dynamic mode where the CPU stands in for a GPU: data says where it is, and the rules of devices hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd

pytestmark = pytest.mark.usefixtures("any_gpu")

MODES = (ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu, ndd.EvalMode.sync_full)
GPU = "gpu:0"


def photos() -> ndd.Batch:
    random = np.random.default_rng(0)
    return ndd.batch([random.integers(0, 256, (h, 7, 3), np.uint8) for h in (5, 9)], layout="HWC")


def jpegs() -> ndd.Batch:
    import cv2

    random = np.random.default_rng(1)
    encoded = [cv2.imencode(".jpg", random.integers(0, 256, (32, 48, 3), np.uint8))[1] for _ in range(3)]
    return ndd.batch(encoded)


@pytest.mark.parametrize("mode", MODES)
def test_results_are_where_the_inputs_are(mode: ndd.EvalMode) -> None:
    with mode:
        images = photos().gpu()
        made = ndd.crop_mirror_normalize(ndd.resize(images, size=[4, 4]), dtype=ndd.float32, output_layout="CHW")
        assert (str(images.device), str(made.device)) == (GPU, GPU)
        assert str(made.evaluate().device) == GPU
        on_cpu = ndd.crop_mirror_normalize(ndd.resize(photos(), size=[4, 4]), dtype=ndd.float32, output_layout="CHW")
        assert torch.allclose(made.torch(), on_cpu.torch(), atol=1)
        assert str(made.tensors[0].device) == str(made.select([1]).device) == str(made.slice[0].device) == GPU
        assert made.cpu().device == ndd.Device.CPU


def test_a_decoder_takes_bytes_of_the_cpu_to_the_gpu() -> None:
    images = ndd.decoders.image(jpegs(), device="gpu")
    assert str(images.device) == GPU
    assert torch.equal(images.torch(), ndd.decoders.image(jpegs()).torch())
    with pytest.raises(
        ValueError, match=r"image\(\) takes its data from the CPU, and input 0 is on gpu:0; .*\.cpu\(\)"
    ):
        ndd.decoders.image(jpegs().gpu(), device="gpu")


@pytest.mark.parametrize("moved", [False, True])
def test_a_chain_goes_on_across_devices(moved: bool, stand_in: None) -> None:
    """Moving costs nothing where nobody holds what is moved: decode, resize and normalize stay one pass."""
    with ndd.EvalMode.deferred:
        images = ndd.decoders.image(jpegs()).gpu() if moved else ndd.decoders.image(jpegs(), device="gpu")
        images = ndd.crop_mirror_normalize(ndd.resize(images, size=[8, 8]), dtype=ndd.float32, output_layout="CHW")
        [stage] = ndd.explain(images).stages
        assert [each.way for each in stage.passes] == ["native"]
        plain = ndd.crop_mirror_normalize(
            ndd.resize(ndd.decoders.image(jpegs()), size=[8, 8]), dtype=ndd.float32, output_layout="CHW"
        )
        assert torch.equal(images.torch(), plain.torch())


def test_what_is_moved_has_memory_of_its_own() -> None:
    here = ndd.tensor([1, 2])
    there = here.gpu().evaluate()
    np.asarray(here)[0] = 9
    back = there.cpu().evaluate()
    assert back.torch().tolist() == [1, 2]
    np.asarray(back)[1] = 9
    assert there.torch().tolist() == [1, 2]
    array = np.array([1, 2])
    put = ndd.as_tensor(array, device="gpu")
    array[0] = 9
    assert put.torch().tolist() == [1, 2]
    assert there.gpu() is there
    assert there.to_device(GPU, force_copy=True) is not there


def test_equal_calls_on_two_devices_are_two() -> None:
    with ndd.EvalMode.deferred:
        data = jpegs()
        here, there = ndd.decoders.image(data), ndd.decoders.image(data, device="gpu")
        both = ndd.cat(here, there.cpu(), axis=0)
        assert (str(here.device), str(there.device)) == ("cpu", GPU)
        both.evaluate()
        assert (str(here.evaluate().device), str(there.evaluate().device)) == ("cpu", GPU)


@pytest.mark.parametrize(
    ("attempt", "error", "message"),
    [
        (lambda x: np.asarray(x.tensors[0]), TypeError, r"not a CPU tensor. Use `\.cpu\(\)`"),
        (
            lambda x: x + photos(),
            ValueError,
            r"add\(\): Cannot mix GPU and CPU inputs. Input 1 is on the CPU.*\.gpu\(\)",
        ),
        (lambda x: photos() + x, ValueError, "Cannot mix GPU and CPU inputs"),
        (lambda x: x.tensors[0] + np.ones(3), ValueError, "Cannot mix GPU and CPU inputs"),
        (lambda x: ndd.cat(x, photos(), axis=0), ValueError, r"cat\(\): Cannot mix GPU and CPU inputs"),
        (lambda x: x + photos().gpu(1), ValueError, "input 0 is on gpu:0, others are on gpu:1|on one device"),
        (
            lambda x: ndd.flip(x, device="cpu"),
            ValueError,
            r'flip\(\) is called with device="cpu", and input 0 is on gpu',
        ),
        (lambda x: ndd.flip(x, device="gpu:1"), ValueError, "the inputs of a call must be on one device"),
        (lambda x: ndd.flip(x, device="mixed"), ValueError, "Invalid device type: mixed.*Only pipelines have it"),
        (lambda x: ndd.peek_image_shape(x), ValueError, r"peek_image_shape\(\) runs on the CPU, .* with \.cpu\(\)"),
        (lambda x: ndd.zeros(shape=[1], device="gpu"), ValueError, 'Invalid device "gpu" for operator `zeros`'),
        (lambda x: ndd.batch([x.tensors[0], photos().tensors[0]]), ValueError, "must be on one device"),
        (lambda x: ndd.readers.File(files=["a"], device="gpu"), ValueError, "hands out its samples on the CPU"),
        (lambda x: doubled(x), ValueError, r"doubled\(\) runs on the CPU"),
        (lambda x: x.tensors[0].__cuda_array_interface__, AttributeError, "stands in for it"),
    ],
)
def test_the_rules_of_devices_hold(attempt: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        attempt(photos().gpu())


@ndd.operator
def doubled(image: Any) -> Any:
    return image * 2


def test_what_is_not_on_a_device_yet_goes_where_the_call_is() -> None:
    images = photos().gpu()
    assert str((images * 2 + [1, 2, 3]).device) == GPU
    assert str((1 - images.tensors[0]).device) == GPU
    assert str(ndd.math.clamp(images, 10, 20.0).device) == GPU
    assert str(ndd.flip(photos(), device="gpu").device) == GPU
    assert str(ndd.flip(np.zeros((2, 2, 3), np.uint8), device="gpu").device) == GPU
    sliced = ndd.slice(images, ndd.batch([[0.0, 0.0]] * 2), ndd.batch([[0.5, 0.5]] * 2))
    assert str(sliced.device) == GPU  # anchors and shapes may stay on the CPU


def test_arguments_may_be_anywhere() -> None:
    angle = ndd.random.uniform(range=(-9.0, 9.0), batch_size=2, device="gpu")
    assert str(angle.device) == GPU
    with ndd.EvalMode.deferred:
        made = ndd.brightness(photos().gpu(), brightness=angle)
    assert str(made.device) == GPU
    assert torch.equal(made.tensors[0].torch(), ndd.brightness(photos(), brightness=angle.cpu()).tensors[0].torch())


def test_with_device_is_honoured_by_calls() -> None:
    with ndd.Device("gpu:1"):
        images = ndd.decoders.image(jpegs())
        assert str(images.device) == "gpu:1"
        assert str(ndd.flip(photos()).device) == "gpu:1"
        assert str(ndd.random.uniform(batch_size=2).device) == "gpu:1"
        assert str(ndd.peek_image_shape(jpegs()).device) == "cpu"
        assert str(ndd.flip(photos(), device="cpu").device) == "cpu"
        assert str(ndd.flip(photos().gpu(0)).device) == GPU
        with ndd.Device("cpu"):
            assert str(ndd.flip(photos()).device) == "cpu"
    assert str(ndd.flip(photos()).device) == "cpu"


def test_what_comes_out_of_it() -> None:
    t = ndd.tensor([[1, 2], [3, 4]], dtype=ndd.uint8, layout="HW", device="gpu")
    assert 'device="gpu:0"' in repr(t)
    assert t.torch().device.type == "cpu"
    assert torch.from_dlpack(t).tolist() == [[1, 2], [3, 4]]
    assert [str(row.device) for row in t] == [GPU, GPU]
    assert t[0, 1].item() == 2
    assert str(ndd.as_batch(t).device) == str(ndd.as_tensor(ndd.as_batch(t)).device) == GPU
    assert str(ndd.tensor(t, dtype=ndd.float32).device) == str(ndd.batch([t, t]).device) == GPU
    assert str(ndd.tensor(t, device="cpu").device) == "cpu"
    assert str(ndd.Batch.broadcast(t, 3).device) == GPU
    ragged = photos().gpu()
    assert ragged.torch(pad=True).shape == (2, 9, 7, 3)
    assert str(ndd.as_tensor(ragged, pad=True).device) == GPU


def test_sources_hand_out_data_of_a_gpu(tmp_path: Any) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    [(array,)] = ndd.readers.Numpy(file_root=str(tmp_path), device="gpu").next_epoch(batch_size=1)
    assert str(array.device) == GPU
    assert array.torch().tolist() == [[0, 1, 2]]
    source = ndd.ExternalSource([np.ones(2)], device="gpu")
    assert str(source().device) == GPU
