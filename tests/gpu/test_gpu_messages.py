"""Every way to use devices wrongly, and the whole of what is said: what is wrong, and the way out."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types
from penstock.dynamic.calls import placement
from penstock.dynamic.calls.functions import declaration
from penstock.gpu import streams
from penstock.pipeline.definition import devices
from penstock.values import accelerator, device

NONE_FOUND = (
    f'device "gpu" needs an accelerator, and there is none: PyTorch {torch.__version__} finds none. PENSTOCK_GPU=cpu '
    '(or `penstock run --gpu cpu`, or penstock.compat.install(gpu="cpu")) has the CPU stand in for one'
)
OPTIONS: dict[str, Any] = {"batch_size": 2, "num_threads": 1, "device_id": 0}


def image() -> ndd.Tensor:
    return ndd.tensor(np.zeros((4, 4, 3), np.uint8), layout="HWC")


def one() -> Any:
    return fn.constant(idata=1, shape=[2, 2, 3])


def built(define: Callable[[], Any], **options: Any) -> Any:
    """What building the pipeline says, without the lines that tell where it was defined."""
    pipeline_def(define, **{**OPTIONS, **options})().build()


@ndd.operator
def halved(data: Any) -> Any:
    return data // 2


class TorchDevice:
    type, index = "cuda", 0


TorchDevice.__module__ = "torch"

# On two devices, whichever way they are stood in for.
WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # Names of devices.
    (lambda: ndd.Device(0), TypeError, "a device is given by its name, got 0"),  # type: ignore[arg-type]
    (lambda: ndd.Device("gpu:0", 1), ValueError, "Invalid device name: gpu:0; its id is given twice"),
    (lambda: ndd.Device("tpu"), ValueError, 'Invalid device type: tpu; use "cpu" or "gpu"'),
    (
        lambda: ndd.flip(image(), device="mixed"),
        ValueError,
        'Invalid device type: mixed. Only pipelines have it; to decode bytes of the CPU to a GPU, use device="gpu"',
    ),
    (lambda: ndd.Device("cpu", 1), ValueError, "Invalid device id: 1 for device type: cpu. Must be `None`"),
    (lambda: image().gpu(2), ValueError, "Invalid device id: 2 for device type: gpu. Must be in range [0..1]"),
    (lambda: device.device(ndd.Device("gpu"), 1), ValueError, "Cannot specify id when passing a Device instance"),
    (lambda: device.device(TorchDevice(), 1), ValueError, "Cannot specify id when passing a torch.device"),
    (lambda: device.device(3), TypeError, "Cannot convert <class 'int'> to Device"),
    (
        lambda: ndd.Device.type_from_dlpack(7),
        ValueError,
        "Unsupported device type: 7; DLPack's 1 (cpu) and 2 (cuda) are known",
    ),
    # Calls and their inputs.
    (
        lambda: image().gpu() + image(),
        ValueError,
        "add(): Cannot mix GPU and CPU inputs. Input 1 is on the CPU, others are on gpu:0; move it there with .gpu()",
    ),
    (
        lambda: ndd.flip(image().gpu(), device="cpu"),
        ValueError,
        'flip() is called with device="cpu", and input 0 is on gpu:0; move it there with .cpu()',
    ),
    (
        lambda: ndd.cat(image().gpu(0), image().gpu(1)),
        ValueError,
        "cat(): input 1 is on gpu:1, others are on gpu:0; the inputs of a call must be on one device, .to_device() "
        "moves them",
    ),
    (
        lambda: ndd.decoders.image(ndd.tensor([1, 2], dtype=ndd.uint8).gpu(), device="gpu"),
        ValueError,
        "image() takes its data from the CPU, and input 0 is on gpu:0; move it there with .cpu()",
    ),
    (
        lambda: ndd.zeros(shape=[1], device="gpu"),
        ValueError,
        'Invalid device "gpu" for operator `zeros`: it runs on the CPU; leave device out',
    ),
    (
        lambda: halved(image().gpu()),
        ValueError,
        "halved() runs on the CPU, and its input is on gpu:0; move it there with .cpu()",
    ),
    (
        lambda: ndd.optical_flow(ndd.tensor(np.zeros((2, 32, 32, 3), np.uint8), layout="FHWC"), device="cpu"),
        ValueError,
        'Invalid device "cpu" for operator `optical_flow`: optical_flow runs on a GPU only; call it with device="gpu"',
    ),
    (
        lambda: ndd.optical_flow(ndd.tensor(np.zeros((2, 32, 32, 3), np.uint8), layout="FHWC")),
        RuntimeError,
        'optical_flow runs on a GPU only; call it with device="gpu"',
    ),
    # What comes out.
    (
        lambda: np.asarray(image().gpu()),
        TypeError,
        "This is not a CPU tensor. Use `.cpu()` to get the array interface.",
    ),
    (
        lambda: image().__cuda_array_interface__,
        AttributeError,
        "This is not a GPU tensor. Use `.gpu()` to get the CUDA array interface.",
    ),
    (
        lambda: ndd.batch([image().gpu(), image()]),
        ValueError,
        "the samples of a batch must be on one device; .gpu() and .cpu() move them",
    ),
    # Streams.
    (lambda: ndd.Stream(stream=None), ValueError, "a Stream wraps something; ndd.stream(stream=None) gives None"),
    (
        lambda: ndd.stream(stream=ndd.stream(device_id=0), device_id=1),
        ValueError,
        "The device_id 1 doesn't match the id 0 found in the stream object.",
    ),
    # Pipelines, as they are defined.
    (lambda: built(lambda: fn.flip(one(), device="tpu")), ValueError, 'Unsupported device type: "tpu".'),
    (
        lambda: built(lambda: fn.rotate(one(), angle=fn.random.uniform(device="gpu"))),
        ValueError,
        "Invalid device \"gpu\" for argument 'angle' of operator 'nvidia.dali.fn.rotate'. Named arguments must be on "
        "CPU.",
    ),
    (
        lambda: built(lambda: fn.cat(one().gpu(), one())),
        RuntimeError,
        'The input 1 for gpu operator `nvidia.dali.fn.cat` is stored on incompatible device "cpu". Valid device is '
        '"gpu".',
    ),
    (
        lambda: built(lambda: fn.flip(one(), device="mixed")),
        ValueError,
        'Operator `nvidia.dali.fn.flip` is not registered for device "mixed"; decoders are. Use "cpu" or "gpu".',
    ),
    (
        lambda: built(lambda: fn.decoders.image(one(), device="gpu")),
        ValueError,
        'Operator `nvidia.dali.fn.decoders.image` is not registered for device "gpu": it takes data from the CPU, '
        'which in pipelines is device="mixed".',
    ),
    (
        lambda: built(lambda: fn.zeros(shape=[1], device="gpu")),
        ValueError,
        'Operator `nvidia.dali.fn.zeros` is not registered for device "gpu": it runs on the CPU.',
    ),
    # Pipelines, as they are built.
    (
        lambda: built(lambda: one().gpu(), device_id=None),
        RuntimeError,
        "The pipeline requires a CUDA-capable GPU, and its device_id is None; give it the number of one",
    ),
    (
        lambda: built(lambda: one().gpu(), device_id=2),
        ValueError,
        "Invalid device id: 2 for device type: gpu. Must be in range [0..1]",
    ),
    (
        lambda: built(lambda: fn.flip(one().gpu()).cpu(), exec_dynamic=False),
        RuntimeError,
        "This pipeline doesn't support transition from GPU to CPU.",
    ),
]

# Where there is neither an accelerator nor a stand-in for one.
WITHOUT: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: image().gpu(), RuntimeError, NONE_FOUND),
    (lambda: ndd.Device("gpu"), RuntimeError, NONE_FOUND),
    (lambda: ndd.decoders.image(ndd.tensor([1], dtype=ndd.uint8), device="gpu"), RuntimeError, NONE_FOUND),
    (
        lambda: ndd.Device("gpu:0"),
        ValueError,
        f"Invalid device id: 0 for device type: gpu. Must be in range [0..-1]; {NONE_FOUND}",
    ),
    (lambda: ndd.stream(), RuntimeError, f"streams need an accelerator: {NONE_FOUND}"),
    (
        lambda: ndd.optical_flow(ndd.tensor(np.zeros((2, 32, 32, 3), np.uint8), layout="FHWC")),
        RuntimeError,
        f'optical_flow runs on a GPU only; call it with device="gpu"; {NONE_FOUND}',
    ),
    (
        lambda: built(lambda: fn.decoders.image(one(), device="mixed")),
        RuntimeError,
        f"The pipeline requires a CUDA-capable GPU: {NONE_FOUND}",
    ),
]

# On torch's devices: what has no kernel there.
NO_KERNEL: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: ndd.equalize(image().gpu()),
        NotImplementedError,
        "equalize() has no GPU kernel yet; move its inputs with .cpu(), and its result with .gpu()",
    ),
    (
        lambda: built(lambda: fn.equalize(fn.cast(one(), dtype=types.UINT8).gpu())),
        NotImplementedError,
        'equalize has no GPU kernel yet; give it what `.cpu()` moves and device="cpu", and move its result with '
        "`.gpu()`",
    ),
]

MODULES: tuple[ModuleType, ...] = (placement, devices, device, streams)


def check(wrong: list[tuple[Callable[[], Any], type[Exception], str]]) -> list[str]:
    """Holds each to what it says, which is returned."""
    for attempt, error, message in wrong:
        with pytest.raises(error) as raised:
            attempt()
        assert type(raised.value) is error
        assert str(raised.value).splitlines()[0] == message
    return [message for _, _, message in wrong]


def pattern(error: ast.Raise) -> str:
    """What a `raise` says, up to the end of the first line, with anything in the places of values."""
    assert isinstance(error.exc, ast.Call)
    said = error.exc.args[0]
    parts = said.values if isinstance(said, ast.JoinedStr) else [said]
    words = [part.value if isinstance(part, ast.Constant) else None for part in parts]
    text = "".join(".*" if word is None else re.escape(str(word)) for word in words)
    return text.split(re.escape("\n"))[0]


@pytest.fixture(autouse=True)
def nothing_stands_in() -> Iterator[None]:
    yield
    accelerator.use("")


@pytest.mark.parametrize("name", ["cpu:2", "torch-cpu:2"])
def test_what_is_wrong_is_said(name: str) -> None:
    accelerator.use(name)
    check(WRONG)


def test_without_an_accelerator_it_is_said_what_stands_in_for_one() -> None:
    if accelerator.accelerator().count:
        pytest.skip("there is one")
    check(WITHOUT)


def test_every_message_of_devices_is_listed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that is added to these modules is added to the lists."""
    accelerator.use("torch-cpu:2")
    said = check(WRONG)
    monkeypatch.setattr(declaration("equalize"), "gpu_function", None)
    said += check(NO_KERNEL) + [message for _, _, message in WITHOUT]
    for module in MODULES:
        raised = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Raise)]
        patterns = [pattern(error) for error in raised]
        assert [each for each in patterns if not any(re.fullmatch(each, message) for message in said)] == []
