"""`@ndd.operator` with a function for GPUs: the user's own operator on torch tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import on_torch_cpu
from penstock import fn, pipeline_def

torch = pytest.importorskip("torch")

CALLS: list[tuple[int, ...]] = []


@ndd.operator
def posterize(image: Any, *, bits: ndd.PerSample[int] = 4) -> Any:
    return image & np.uint8(256 - (1 << (8 - bits)))


@posterize.gpu
def posterize_gpu(images: Any, *, bits: int) -> Any:
    CALLS.append(tuple(images.shape))
    return images & int(256 - (1 << (8 - bits)))


@ndd.operator(results=2)
def halves(image: Any) -> Any:
    return image[: len(image) // 2], image[len(image) // 2 :]


@halves.gpu
def halves_gpu(images: Any) -> Any:
    middle = images.shape[1] // 2
    return images[:, :middle], images[:, middle:]


def photos() -> list[Any]:
    random = np.random.default_rng(0)
    return [random.integers(0, 256, (height, 4, 3), np.uint8) for height in (6, 6, 2, 6)]


def arrays(batch: Any) -> list[Any]:
    return [np.asarray(each) for each in batch.cpu()]


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_full])
def test_data_on_a_gpu_is_given_to_its_function(mode: Any) -> None:
    expected = [np.asarray(each) for each in posterize(ndd.batch(photos()), bits=ndd.batch([2, 3, 2, 2]))]
    CALLS.clear()
    with on_torch_cpu(), mode:
        made = posterize(ndd.batch(photos(), device="gpu"), bits=ndd.batch([2, 3, 2, 2]))
        assert (made.evaluate().dtype, str(made.device)) == (ndd.uint8, "gpu:0")
        assert all(map(np.array_equal, arrays(made), expected))
    assert sorted(CALLS) == [(1, 2, 4, 3), (1, 6, 4, 3), (2, 6, 4, 3)]  # those that are alike together


def test_it_may_have_several_results() -> None:
    expected = halves(ndd.batch(photos()))
    with on_torch_cpu():
        for got, wanted in zip(halves(ndd.batch(photos(), device="gpu")), expected, strict=True):
            assert all(map(np.array_equal, arrays(got), map(np.asarray, wanted)))


def test_without_one_it_stays_on_the_cpu() -> None:
    plain = ndd.operator(lambda image: image)
    with on_torch_cpu(), pytest.raises(ValueError, match=r"runs on the CPU, and its input is on gpu:0; .* \.cpu\(\)"):
        plain(ndd.batch(photos(), device="gpu"))


def test_a_compiled_loop_makes_what_an_eager_one_does(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{k}.npy") for k in range(4)]
    for name, photo in zip(names, photos(), strict=True):
        np.save(name, photo)

    def steps(compile: bool) -> list[Any]:
        made = []
        for (batch,) in ndd.readers.Numpy(files=names).next_epoch(batch_size=2, compile=compile):
            made += arrays(posterize(batch.gpu(), bits=3))
        return made

    with on_torch_cpu():
        expected = [posterize.operator.function(photo, bits=3) for photo in photos()]
        assert all(map(np.array_equal, steps(False), expected))
        assert all(map(np.array_equal, steps(True), expected))


@pytest.mark.parametrize("move", [False, True])
def test_it_takes_the_nodes_of_a_pipeline(any_gpu: str, move: bool) -> None:
    @pipeline_def(batch_size=4, num_threads=1, device_id=0)
    def defined() -> Any:
        images = fn.external_source(lambda: photos())
        above, below = halves(images.gpu() if move else images)
        return posterize(above, bits=fn.constant(idata=3)), below

    above, below = defined().run()
    for k, photo in enumerate(photos()):
        middle = len(photo) // 2
        one, other = (np.array(each.as_cpu().at(k) if move else each.at(k)) for each in (above, below))
        assert np.array_equal(one, photo[:middle] & 0b11100000)
        assert np.array_equal(other, photo[middle:])


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda images: images[0], "a leading axis of 2, one row for every sample, got one of shape"),
        (lambda images: 3, "got a int"),
        (lambda images: (images, images), "has 1 results, but its GPU function returned 2"),
    ],
)
def test_what_is_not_a_row_for_every_sample_is_refused(made: Any, message: str) -> None:
    wrong = ndd.operator(lambda image: image)
    wrong.gpu(made)
    with on_torch_cpu(), pytest.raises(TypeError, match=message):
        wrong(ndd.batch(photos()[:2], device="gpu")).evaluate()


def test_samples_of_a_batch_are_alike() -> None:
    uneven = ndd.operator(lambda image: image)
    uneven.gpu(lambda images: images if images.shape[1] == 6 else images.to(torch.int32))
    with on_torch_cpu(), pytest.raises(TypeError, match=r"made torch.int32, torch.uint8 was expected"):
        uneven(ndd.batch(photos(), device="gpu")).evaluate()
