"""Samples in the memory of an accelerator, with torch's CPU device in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch")

import penstock.dynamic as ndd  # noqa: E402
from messages import told  # noqa: E402
from penstock import _native  # noqa: E402
from penstock.dynamic.calls.functions import declaration  # noqa: E402
from penstock.engine.threads import shared_pool  # noqa: E402
from penstock.gpu.samples import GpuSamples, download, upload  # noqa: E402
from penstock.testing import gpu_of_tests  # noqa: E402
from penstock.values import accelerator  # noqa: E402
from penstock.values.accelerator import Accelerator  # noqa: E402
from penstock.values.samples import from_arrays  # noqa: E402


@pytest.fixture(autouse=True)
def torch_cpu() -> Iterator[None]:
    accelerator.use(gpu_of_tests())
    yield
    accelerator.use("")


def ragged(*heights: int) -> list[Any]:
    random = np.random.default_rng(0)
    return [random.integers(0, 256, (h, 3, 2), np.uint8) for h in heights]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64, np.int64, np.float16, np.float64, bool])
@pytest.mark.parametrize("heights", [(2, 2), (2, 5, 0, 1), (4,)])
def test_what_goes_there_comes_back(dtype: Any, heights: tuple[int, ...]) -> None:
    samples = from_arrays([array.astype(dtype) for array in ragged(*heights)])
    samples.layout, samples.sources = "HWC", [f"{k}.jpg" for k in range(len(heights))]
    there = upload(samples, 0)
    assert (there.elsewhere, there.device, there.layout, there.code) == (True, 0, "HWC", samples.code)
    assert there.block.ndim == 1  # one block, whatever the shapes
    assert there.uniform is samples.uniform
    back = download(there)
    assert (back.device, back.sources, back.shapes()) == (-1, samples.sources, samples.shapes())
    assert all(np.array_equal(back.sample(i), samples.sample(i)) for i in range(len(samples)))


def test_the_cpu_does_not_read_it() -> None:
    there = upload(from_arrays(ragged(2, 3)), 0)
    for attempt in (lambda: there.sample(0), lambda: upload(from_arrays(ragged(2, 2)), 0).array()):
        with pytest.raises(RuntimeError, match=r"in the memory of an accelerator; move them with \.cpu\(\)"):
            attempt()


def test_selecting_and_seeing_otherwise_copies_nothing() -> None:
    there = upload(from_arrays(ragged(2, 5, 3)), 0)
    chosen = there.select([2, 0])
    assert isinstance(chosen, GpuSamples)
    assert chosen.block is there.block
    assert chosen.shapes() == [(3, 3, 2), (2, 3, 2)]
    assert torch.equal(chosen.tensor(1), there.tensor(0))
    flat = there.reshaped([[12], [30], [18]], "X")
    assert torch.equal(flat.tensor(2), there.tensor(2).reshape(-1))  # type: ignore[attr-defined]
    assert there.part(0).shapes() == [(3, 2)] * 3


def test_a_uniform_batch_becomes_a_tensor_without_a_copy() -> None:
    batch = ndd.flip(ndd.batch(ragged(4, 4), layout="HWC", device="gpu")).evaluate()
    assert batch.torch().data_ptr() == batch._resolve().block.data_ptr()
    assert batch.tensors[1].torch().data_ptr() == batch.torch()[1].data_ptr()
    assert torch.from_dlpack(batch.tensors[1]).data_ptr() == batch.torch()[1].data_ptr()
    assert batch.torch(copy=True).data_ptr() != batch.torch().data_ptr()
    other = ndd.batch(ragged(4, 2), layout="HWC", device="gpu")
    with pytest.raises(ValueError, match="non-uniform shape"):
        other.torch()
    assert other.torch(pad=True).shape == (2, 4, 3, 2)


def test_results_have_memory_of_their_own() -> None:
    images = ndd.batch(ragged(4, 4), layout="HWC", device="gpu")
    for made in (
        ndd.cast(images, dtype=ndd.uint8),
        ndd.crop(images, crop=(4, 3)),
        ndd.transpose(images, perm=[0, 1, 2]),
        ndd.copy(images),
        images.slice[:4],
    ):
        made.torch().fill_(0)
    assert images.torch().any()


@pytest.mark.parametrize("heights", [(4, 4), (4, 2)])
def test_several_inputs_are_joined(heights: tuple[int, int]) -> None:
    images, other = ndd.batch(ragged(*heights), layout="HWC"), ndd.tensor(ragged(4)[0][:2], layout="HWC")
    for join in (lambda a, b: ndd.cat(a, b, axis_name="H"), lambda a, b: ndd.stack(a, a, axis=-1)):
        made = join(images.gpu(), other.gpu())
        assert str(made.device) == "gpu:0"
        for got, wanted in zip(made, join(images, other), strict=True):
            assert (got.layout, got.torch().tolist()) == (wanted.layout, wanted.torch().tolist())


def test_only_what_has_a_kernel_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declaration("equalize"), "gpu_function", None)
    image = ndd.batch(ragged(4), layout="HWC", device="gpu")
    with pytest.raises(NotImplementedError, match=r"equalize\(\) has no GPU kernel yet; .*\.cpu\(\), .*\.gpu\(\)"):
        ndd.equalize(image)


@ndd.operator
def darkened(image: Any, *, by: ndd.PerSample[int] = 2) -> Any:
    return image // by


def test_an_operator_of_the_users_own() -> None:
    images = ndd.batch(ragged(4, 4, 2), layout="HWC")
    with pytest.raises(ValueError, match=r"darkened\(\) runs on the CPU"):
        darkened(images.gpu())
    asked: list[int] = []

    @darkened.gpu
    def _(image: Any, *, by: int) -> Any:
        asked.append(len(image))
        return image // by

    made = darkened(images.gpu(), by=ndd.batch([2, 3, 2]))
    assert str(made.device) == "gpu:0"
    for got, wanted in zip(made, darkened(images, by=ndd.batch([2, 3, 2])), strict=True):
        assert torch.equal(got.torch(), wanted.torch())
    asked.clear()
    darkened(images.gpu()).evaluate()
    assert asked == [2, 1]  # those of one shape at once


def test_drawn_numbers_are_those_of_the_cpu() -> None:
    for draw in (ndd.random.uniform, ndd.random.normal, ndd.random.coin_flip):
        here = draw(batch_size=5, shape=[3], rng=ndd.random.RNG(7))
        there = draw(batch_size=5, shape=[3], rng=ndd.random.RNG(7), device="gpu")
        assert str(there.device) == "gpu:0"
        assert torch.equal(there.torch(), here.torch())
        assert torch.equal((there + 1).torch(), (here + 1).torch())


def test_random_windows_are_those_of_the_cpu() -> None:
    images = ndd.batch([np.repeat(array, 9, axis=1) for array in ragged(40, 60)], layout="HWC")
    here = ndd.random_resized_crop(images, size=[8, 8], rng=ndd.random.RNG(3), random_area=[0.2, 0.5])
    there = ndd.random_resized_crop(images.gpu(), size=[8, 8], rng=ndd.random.RNG(3), random_area=[0.2, 0.5])
    assert (there.torch().int() - here.torch().int()).abs().max() <= 1


def test_frames_and_their_arguments() -> None:
    clips = [np.full((3, 2, 2, 3), 10, np.uint8), np.full((2, 2, 2, 3), 20, np.uint8)]
    factors = ndd.batch([np.array([1, 2, 3], np.float32), np.array([4, 5], np.float32)])
    made = ndd.brightness(ndd.batch(clips, layout="FHWC", device="gpu"), brightness=ndd.per_frame(factors))
    assert (str(made.device), made.layout) == ("gpu:0", "FHWC")
    assert [each[:, 0, 0, 0].torch().tolist() for each in made] == [[10, 20, 30], [80, 100]]


def test_sync_full_waits_for_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[int] = []
    monkeypatch.setattr(GpuSamples, "wait", lambda self: waited.append(len(self)))
    images = ndd.batch(ragged(4, 2), layout="HWC", device="gpu").evaluate()
    for mode, count in ((ndd.EvalMode.sync_cpu, 0), (ndd.EvalMode.sync_full, 1)):
        with mode:
            ndd.flip(images)
        assert len(waited) == count


def test_errors_name_the_sample() -> None:
    images = ndd.batch(ragged(4, 2), layout="HWC", device="gpu")
    with pytest.raises(RuntimeError, match="out of bounds") as caught:
        ndd.crop(images, crop=(3, 3)).evaluate()
    assert "sample 1" in told(caught.value)


def test_tensors_of_the_accelerator_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that has one: here torch's CPU device is said to be it."""
    monkeypatch.setattr(accelerator, "_chosen", {None: Accelerator("torch", 1, "as if there was one")})
    tensor = torch.arange(6).reshape(2, 3)
    one, batch = ndd.as_tensor(tensor), ndd.as_batch(tensor)
    assert (str(one.device), str(batch.device), batch.batch_size) == ("gpu:0", "gpu:0", 2)
    assert one.torch().data_ptr() == batch.torch().data_ptr() == tensor.data_ptr()
    assert ndd.tensor(tensor).torch().data_ptr() != tensor.data_ptr()
    assert (one + 1).torch().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert ndd.as_batch([tensor[0], tensor[1]]).torch().tolist() == tensor.tolist()
    with pytest.raises(RuntimeError, match="Strided data"):
        ndd.as_tensor(tensor.T)


def test_a_batch_of_one_shape_goes_to_torch_by_dlpack_as_it_is() -> None:
    batch = ndd.as_batch(np.arange(12, dtype=np.int32).reshape(2, 2, 3)).gpu()
    given = torch.from_dlpack(batch)
    assert given.tolist() == np.arange(12).reshape(2, 2, 3).tolist()
    assert given.data_ptr() == batch.torch().data_ptr()
    with pytest.raises(TypeError, match=r"Use `\.cpu\(\)`"):
        np.asarray(batch)
    with pytest.raises(ValueError, match="pad=True"):
        torch.from_dlpack(ndd.as_batch(ragged(1, 2)).gpu())


def test_no_step_of_the_cpu_reads_them() -> None:
    """Also where it takes all samples at once, as when a program changes its stand-in while a pipeline runs."""
    there = upload(from_arrays([np.ones(9, np.int32)] * 4), 0)
    formula = _native.Formula(there.code, [(_native.Combination.add, False)], is_laborious=False)
    step = formula.step(None, 1, [from_arrays([np.ones(1, np.int32)])])
    with pytest.raises(RuntimeError, match="in the memory of an accelerator"):
        _native.run(shared_pool(1), there, 4, [step], None)
