"""Several devices in one process: a context for each, one inside the other, or each in a thread of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import pytest

torch: Any = pytest.importorskip("torch")

import penstock.dynamic as ndd  # noqa: E402
from penstock.gpu.samples import GpuSamples  # noqa: E402

pytestmark = pytest.mark.usefixtures("any_gpu")


def jpegs() -> list[Any]:
    random = np.random.default_rng(1)
    return [cv2.imencode(".jpg", random.integers(0, 256, (40, 48, 3), np.uint8))[1].ravel() for _ in range(4)]


def made(device: str | None) -> ndd.Batch:
    images = ndd.resize(ndd.decoders.image(ndd.batch(jpegs()), device=device), size=[16, 16])
    mirror = ndd.random.coin_flip(batch_size=4, rng=ndd.random.RNG(3))
    return ndd.crop_mirror_normalize(images, mirror=mirror, dtype=ndd.float32, output_layout="CHW")


def test_each_thread_has_a_context_and_a_device() -> None:
    def loop(number: int) -> tuple[set[str], list[Any]]:
        stream = ndd.stream(device_id=number)
        with ndd.EvalContext(num_threads=1, device_id=number, cuda_stream=stream) as context:
            assert (context.device_id, context.cuda_stream) == (number, stream)
            batches = [made("gpu") for _ in range(3)]
            return {str(batch.device) for batch in batches}, [batch.torch() for batch in batches]

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(loop, (0, 1))
    assert (first[0], second[0]) == ({"gpu:0"}, {"gpu:1"})
    expected = made("cpu").torch()
    for batch in (*first[1], *second[1]):
        assert torch.allclose(batch, expected, atol=1)
        assert torch.equal(batch, first[1][0])


def test_contexts_of_two_devices_in_one_another() -> None:
    with ndd.EvalContext(device_id=0) as outer:
        here = made("gpu")
        with ndd.EvalContext(device_id=1):
            there = made("gpu")
            assert ndd.stream().device_id == 1
        assert ndd.EvalContext.current() is outer
        again = made("gpu")
    assert [str(batch.device) for batch in (here, there, again)] == ["gpu:0", "gpu:1", "gpu:0"]
    assert torch.equal(here.torch(), there.torch())
    with pytest.raises(ValueError, match="must be on one device"):
        _ = here + there


@pytest.mark.parametrize("ragged", [False, True])
def test_data_moves_between_devices_without_the_host(ragged: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    arrays = [random.integers(0, 256, (4 + ragged * k, 3, 2), np.uint8) for k in range(3)]
    there = ndd.batch(arrays, layout="HWC", device="gpu:0").evaluate()
    with monkeypatch.context() as patched:
        patched.setattr(GpuSamples, "host", lambda self: pytest.fail("it went through host memory"))
        across = there.gpu(1).evaluate()
        second = there.select([2, 0]).to_device("gpu:1").evaluate()
    assert (str(across.device), across.layout, str(second.device)) == ("gpu:1", "HWC", "gpu:1")
    for got, wanted in zip(across.cpu(), arrays, strict=True):
        assert np.array_equal(np.asarray(got), wanted)
    assert np.array_equal(np.asarray(second.tensors[1].cpu()), arrays[0])
    across.tensors[0].torch().fill_(0)
    assert there.tensors[0].torch().any()  # it has memory of its own
