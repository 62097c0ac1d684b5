"""Loops on a device with streams wait for nothing: neither the CPU for the device, nor the device for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch: Any = pytest.importorskip("torch")

import penstock.dynamic as ndd  # noqa: E402
from gpu.recorded_streams import REGISTERED, Event, Stream, queue, use_streams  # noqa: E402
from penstock import fn, pipeline_def, types  # noqa: E402
from penstock.gpu.pinned import PinnedArena  # noqa: E402
from penstock.plugin.pytorch import DALIGenericIterator  # noqa: E402

BATCHES = 3


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What streams and events are asked for. Waiting for a whole device, or for a stream, is an error."""

    def refused(*given: Any) -> None:
        raise AssertionError("a loop waited for a device")

    for module in (torch.accelerator, torch.cuda, torch.xpu, torch.mps, torch.cpu):
        monkeypatch.setattr(module, "synchronize", refused)
    monkeypatch.setattr(Stream, "synchronize", refused, raising=False)
    monkeypatch.setattr("torch.Tensor.pin_memory", lambda tensor: tensor.clone())
    said: list[str] = []
    made = queue(said, PinnedArena(REGISTERED))
    use_streams(monkeypatch, made)
    yield said
    monkeypatch.setattr(Event, "done", True)
    made._leases.end()
    assert made._arena is not None
    made._arena.trim()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    random = np.random.default_rng(0)
    (tmp_path / "a").mkdir()
    for k in range(2 * BATCHES):
        image = random.integers(0, 256, (100, 120 + 8 * k, 3), np.uint8)
        cv2.imwrite(str(tmp_path / "a" / f"{k}.jpg"), image)
    return str(tmp_path)


@pytest.mark.parametrize("compile", [False, True], ids=["eager", "compiled"])
def test_a_loop_waits_for_nothing(log: list[str], folder: str, compile: bool) -> None:
    reader = ndd.readers.File(file_root=folder)
    for jpegs, labels in reader.next_epoch(batch_size=2, compile=compile):
        images = ndd.resize(ndd.decoders.image(jpegs, device="gpu"), size=[24, 24])
        images = ndd.rotate(images, angle=10.0, keep_size=True)
        mirror = ndd.random.coin_flip(batch_size=2)
        images = ndd.crop_mirror_normalize(images, mirror=mirror, dtype=ndd.float32, output_layout="CHW")
        assert images.torch().shape == (2, 3, 24, 24)
        assert labels.gpu().torch().shape == (2, 1)
    assert "torch waits for ours" in log  # torch's stream does, on the device
    assert not [line for line in log if line.startswith("the CPU waits")]


def test_a_pipeline_waits_for_nothing(log: list[str], folder: str) -> None:
    @pipeline_def(batch_size=2, num_threads=2, device_id=0)
    def training() -> Any:
        jpegs, labels = fn.readers.file(file_root=folder, name="Reader")
        images = fn.resize(fn.decoders.image(jpegs, device="mixed"), size=[24, 24])
        images = fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), dtype=types.FLOAT)
        return images, labels.gpu()

    shapes = [tuple(batch["x"].shape) for [batch] in DALIGenericIterator(training(), ["x", "y"], reader_name="Reader")]
    assert shapes == [(2, 3, 24, 24)] * BATCHES
    assert not [line for line in log if line.startswith("the CPU waits")]


def test_the_cpu_waits_where_it_reads(log: list[str]) -> None:
    image = ndd.tensor(np.arange(12, dtype=np.uint8).reshape(2, 2, 3), layout="HWC", device="gpu:0")
    assert np.asarray(ndd.flip(image).cpu()).ravel()[0] == 3
    assert log[-1] == "the CPU waits for downloads"
    with ndd.EvalMode.sync_full:
        ndd.flip(image)
    assert log[-1] == "the CPU waits for ours"
