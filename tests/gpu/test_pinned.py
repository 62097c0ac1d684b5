"""Pinned memory for uploads and downloads, with what torch and CUDA are asked for written down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

torch: Any = pytest.importorskip("torch")

import penstock.dynamic as ndd  # noqa: E402
from gpu.recorded_streams import REGISTERED, Event, queue, use_streams  # noqa: E402
from penstock._native import Samples, arena_use, trim_arena  # noqa: E402
from penstock.engine.backends.native import Native  # noqa: E402
from penstock.gpu.pinned import PinnedArena  # noqa: E402
from penstock.gpu.queue import StreamQueue  # noqa: E402
from penstock.gpu.samples import GpuSamples, upload  # noqa: E402
from penstock.gpu.staging import Staged  # noqa: E402
from penstock.values.dtypes import uint8  # noqa: E402

HEIGHTS = (100, 120, 90)


class Uploads:
    """The queue of a device, which device memory stands for, and what was uploaded from where."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.registered = REGISTERED
        self.registered.calls = 0
        self.arena = PinnedArena(self.registered)
        self.arena.trim()
        self.log: list[str] = []
        self.staged: list[Staged] = []
        self.queue = queue(self.log, self.arena)
        plain = StreamQueue.copy_in
        monkeypatch.setattr(StreamQueue, "copy_in", lambda *given: (self.staged.append(given[2]), plain(*given)))
        use_streams(monkeypatch, self.queue)


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Uploads]:
    trim_arena()
    made = Uploads(monkeypatch)
    yield made
    monkeypatch.setattr(Event, "done", True)
    made.staged.clear()
    made.queue._leases.end()
    made.arena.trim()


def filled(*heights: int) -> Samples:
    """Samples as operators make them, in memory of the arena."""
    made = Samples.empty_ragged(uint8.code, 3, [(height, 80, 3) for height in heights])
    for i in range(len(heights)):
        made.sample(i)[...] = np.random.default_rng(i).integers(0, 256, made.shape(i), np.uint8)
    return made


def require_equal(there: GpuSamples, samples: Samples) -> None:
    assert len(there) == len(samples)
    for i in range(len(samples)):
        assert np.array_equal(there.tensor(i).numpy(), samples.sample(i))


@pytest.mark.parametrize("heights", [HEIGHTS, (100, 100)], ids=["ragged", "uniform"])
def test_private_samples_are_uploaded_from_where_they_were_made(uploads: Uploads, heights: tuple[int, ...]) -> None:
    samples = filled(*heights)
    there = upload(samples, 0, private=True)
    [staged] = uploads.staged
    assert staged.source.data_ptr() == samples.sample(0).ctypes.data  # no copy before that of the device
    assert uploads.registered.covers(staged.source)
    require_equal(there, samples)


def test_what_the_program_may_write_to_is_copied_into_pinned_memory(uploads: Uploads) -> None:
    samples = filled(*HEIGHTS)
    there = upload(samples, 0)
    [staged] = uploads.staged
    assert uploads.registered.covers(staged.source)
    assert not uploads.registered.covers(torch.from_numpy(samples.sample(0)))
    require_equal(there, samples)


def test_memory_is_not_used_again_before_it_has_been_read(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    def uploaded_from() -> int:
        upload(filled(*HEIGHTS), 0, private=True)
        return int(uploads.staged.pop().source.data_ptr())

    first, second = uploaded_from(), uploaded_from()
    assert first != second
    monkeypatch.setattr(Event, "done", True)
    third = uploaded_from()
    assert third not in (first, second)  # those were let go of when it was uploaded
    assert {uploaded_from(), uploaded_from()} <= {first, second, third}
    assert uploads.registered.calls == 3  # a block that is used again is pinned already
    assert "the CPU waits for ours" not in uploads.log


def test_pinned_blocks_go_back_to_the_system_unpinned(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Event, "done", True)
    before = {*uploads.registered.blocks}
    upload(filled(400, 500), 0, private=True)
    uploads.staged.clear()
    uploads.queue._leases.end()
    kept = arena_use()[1]
    trim_arena()
    assert arena_use()[1] == kept  # only who pinned it may give it back
    for _ in range(2000):
        Samples.empty(uint8.code, 1, [100])
    upload(filled(80, 90), 0, private=True)  # nobody asked for the large one in a long time
    [size] = [size for block, size in uploads.registered.blocks.items() if block not in before]
    assert size < 100_000
    uploads.staged.clear()
    uploads.queue._leases.end()
    uploads.arena.trim()
    assert {*uploads.registered.blocks} == before
    assert arena_use()[1] < kept


def test_where_memory_cannot_be_pinned_that_of_torchs_pool_is_used(
    uploads: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(address: int, size: int) -> None:
        raise RuntimeError("cudaHostRegister failed with CUDA's error 801")

    monkeypatch.setattr(uploads.registered, "register", fail)
    monkeypatch.setattr("torch.Tensor.pin_memory", lambda tensor: tensor.clone())
    samples = filled(*HEIGHTS)
    with pytest.warns(RuntimeWarning, match="memory cannot be pinned, .* error 801"):
        require_equal(upload(samples, 0, private=True), samples)
    require_equal(upload(samples, 0, private=True), samples)  # the warning comes once
    assert [staged.samples for staged in uploads.staged] == [None, None]


def test_small_batches_go_through_torchs_pool(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.Tensor.pin_memory", lambda tensor: tensor.clone())
    labels = Samples.empty(uint8.code, 3, [1])
    labels.array()[...] = np.arange(3)[:, None]
    require_equal(upload(labels, 0), labels)
    assert (uploads.registered.calls, uploads.staged[0].samples) == (0, None)
    assert upload(Samples.empty(uint8.code, 0, [1]), 0).block.numel() == 0


@pytest.mark.parametrize("heights", [HEIGHTS, (100, 100)], ids=["ragged", "uniform"])
def test_downloads_are_made_into_pinned_memory_in_a_stream_of_their_own(
    uploads: Uploads, heights: tuple[int, ...]
) -> None:
    there = upload(filled(*heights), 0, private=True)
    uploads.log.clear()
    back = there.host()
    assert uploads.log == ["downloads waits for ours", "downloads records", "the CPU waits for downloads"]
    assert uploads.queue._api.current.name == "torch"
    assert uploads.registered.covers(torch.from_numpy(back.sample(0)))
    require_equal(there, back)
    one = there.select([1]).host()
    assert np.array_equal(one.sample(0), back.sample(1))
    assert one.nbytes <= uploads.registered.blocks.get(one.sample(0).ctypes.data, 1 << 20)


def test_what_cuda_answers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from penstock.gpu.pinned import CudaRegistrar

    asked: list[Any] = []

    class Runtime:
        def cudaHostRegister(self, *given: int) -> int:  # noqa: N802
            asked.append(given)
            return 0 if given[1] else 1

        def cudaHostUnregister(self, *given: int) -> int:  # noqa: N802
            asked.append(given)
            return 0

    launched: list[str] = []
    monkeypatch.setattr(torch.cuda, "cudart", Runtime)
    monkeypatch.setattr(torch, "zeros", lambda *given, device: launched.append(device))
    registrar = CudaRegistrar()
    registrar.register(4096, 8192)
    registrar.unregister(4096)
    assert asked == [(4096, 8192, 1), (4096,)]
    assert launched == []
    with pytest.raises(RuntimeError, match="cudaHostRegister failed with CUDA's error 1"):
        registrar.register(4096, 0)
    assert launched == ["cuda"]  # takes the error, which the runtime would tell the next kernel


def jpegs(count: int) -> list[Any]:
    random = np.random.default_rng(1)
    sizes = [(96 + 8 * k, 128) for k in range(count)]
    return [cv2.imencode(".jpg", random.integers(0, 256, (*size, 3), np.uint8))[1].ravel() for size in sizes]


DECODERS: dict[str, Any] = {
    "image": lambda data, device: ndd.decoders.image(data, device=device),
    "scaled": lambda data, device: ndd.decoders.image(data, device=device, min_size=(40, 40)),
    "crop": lambda data, device: ndd.decoders.image_crop(data, device=device, crop=(80, 96)),
    "slice": lambda data, device: ndd.decoders.image_slice(data, 0.25, 0.7, device=device, axis_names="WH"),
    "random_crop": lambda data, device: ndd.decoders.image_random_crop(data, device=device, rng=ndd.random.RNG(5)),
}


@pytest.mark.parametrize("name", DECODERS)
def test_a_decoder_for_a_gpu_is_one_native_pass_and_one_upload(
    uploads: Uploads, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only wants a part, or less than the full size, is neither decoded nor uploaded whole."""
    expected = DECODERS[name](ndd.batch(jpegs(3)), "cpu").evaluate()
    passes: list[int] = []
    native = Native.run
    monkeypatch.setattr(Native, "run", lambda self, task, count: (passes.append(count), native(self, task, count))[1])
    there: Any = DECODERS[name](ndd.batch(jpegs(3)), "gpu")._resolve()
    assert passes == [1]
    [staged] = uploads.staged
    assert uploads.registered.covers(staged.source)
    assert staged.samples is not None  # over the memory that the decoder wrote to
    wanted = sum(int(np.prod(shape)) for shape in there.shapes())
    assert staged.source.numel() <= wanted + 64 * len(there)
    assert "the CPU waits for ours" not in uploads.log
    require_equal(there, expected._resolve())
