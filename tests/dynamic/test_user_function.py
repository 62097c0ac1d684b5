"""What surrounds a user's own function: protected inputs, generators, results, and errors with its own lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from penstock import fn, pipeline_def

MODES = list(ndd.EvalMode)


def photos(count: int = 4) -> list[Any]:
    """Images whose first element is their number."""
    random = np.random.default_rng(0)
    made = [random.integers(0, 256, (4 + k % 2, 5, 3), np.uint8) for k in range(count)]
    for k, photo in enumerate(made):
        photo.flat[0] = k
    return made


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for k, photo in enumerate(photos(12)):
        np.save(tmp_path / f"{k:02}.npy", photo)
    return sorted(map(str, tmp_path.glob("*.npy")))


def arrays(batch: Any) -> list[Any]:
    return [np.array(sample) for sample in batch]


def same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))


# Several results


@ndd.operator(results=2)
def mirrored(image: Any, boxes: Any) -> Any:
    left, top, right, bottom = boxes.T
    return image[:, ::-1], np.stack([1 - right, top, 1 - left, bottom], 1)


BOXES = [np.float32([[0, 0, 0.25, 1]] * (k + 1)) for k in range(4)]


def test_images_and_boxes_are_two_results(files):
    images, boxes = mirrored(ndd.batch(photos()), ndd.batch(BOXES))
    assert same(arrays(images), [photo[:, ::-1] for photo in photos()])
    assert [array.tolist() for array in arrays(boxes)] == [[[0.75, 0, 1, 1]] * (k + 1) for k in range(4)]

    @pipeline_def(batch_size=4, num_threads=1, device_id=None)
    def defined() -> Any:
        return tuple(mirrored(fn.external_source(lambda: photos()), fn.external_source(lambda: BOXES)))

    assert all(map(same, map(arrays, defined().run()), (arrays(images), arrays(boxes))))


@pytest.mark.parametrize("compile", [False, True])
def test_loops_hand_out_several_results(files, compile):
    made = []
    for (images,) in ndd.readers.Numpy(files=files).next_epoch(batch_size=4, compile=compile):
        turned, moved = mirrored(images, ndd.zeros(shape=[2, 4], batch_size=4))
        made += arrays(turned)
        assert np.asarray(moved.tensors[0]).tolist() == [[1, 0, 1, 0]] * 2
    assert same(made, [photo[:, ::-1] for photo in photos(12)])


# Inputs


def write_with_numpy(image: Any) -> Any:
    image[0] = 7
    return image


def write_into_slice(image: Any) -> Any:
    np.add(image[0], 1, out=image[0])
    return image


def write_with_opencv(image: Any) -> Any:
    return cv2.rectangle(image, (0, 0), (1, 1), (9, 9, 9))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [write_with_numpy, write_into_slice, write_with_opencv])
def test_an_input_is_not_written_to(function, mode):
    batch = ndd.batch(photos())
    with mode, pytest.raises(ValueError, match=r"writes to its input, .* @ndd.operator\(inplace=True\)") as caught:
        ndd.operator(function)(batch).evaluate()
    assert "sample 0" in told(caught.value)
    assert same(arrays(batch), photos())
    if function is not write_into_slice:
        with mode:
            made = ndd.operator(inplace=True)(function)(batch)
        assert not same(arrays(made), photos())
        assert same(arrays(batch), photos())


def test_arrays_that_came_from_outside_are_not_written_to():
    array = np.ones((2, 3), np.uint8)
    with pytest.raises(ValueError, match="inplace=True"):
        ndd.operator(write_with_numpy)(ndd.as_batch(array)).evaluate()
    assert array.tolist() == [[1] * 3] * 2


@pytest.mark.parametrize("options", [{"elementwise": True}, {"batchwise": True}])
def test_neither_are_whole_batches(options):
    def write(images: Any) -> Any:
        images[0][...] = 7
        return images

    batch = ndd.batch(photos()[::2])
    with pytest.raises(ValueError, match="inplace=True"):
        ndd.operator(**options)(write)(batch).evaluate()
    made = ndd.operator(**options, inplace=True)(write)(batch)
    assert np.asarray(made.tensors[0]).min() == 7
    assert same(arrays(batch), photos()[::2])


@pytest.mark.parametrize("shapes", [[(2, 3)] * 3, [(2, 3), (3, 3)], [()] * 3, [(2, 3)]])
def test_no_input_is_whatever_its_shapes_or_place_in_a_chain(shapes):
    batch = ndd.batch([np.full(shape, 7, np.int32) for shape in shapes])
    seen: list[bool] = []

    @ndd.operator
    def noted(x: Any, *others: Any) -> Any:
        seen.extend(array.flags.writeable for array in (x, *others))
        return x

    with ndd.EvalMode.deferred:
        made = noted(noted(batch), batch, ndd.tensor(np.int32(1)))
    assert [np.asarray(one).tolist() for one in made] == [np.asarray(one).tolist() for one in batch]
    assert seen == [False] * 4 * len(shapes)
    assert all(np.asarray(one).flags.writeable for one in batch)


def test_arguments_of_every_sample_are_not_written_to():
    @ndd.operator
    def shifted(x: Any, *, by: ndd.PerSample[list[float]]) -> Any:
        by += 1
        return x

    with pytest.raises(ValueError, match="inplace=True"):
        shifted(ndd.tensor([1]), by=ndd.tensor(np.zeros(2))).evaluate()


@pytest.mark.parametrize("data", [photos(), photos()[:1], photos()[::2]])
def test_results_have_memory_of_their_own(data):
    batch = ndd.batch(data)
    made = ndd.operator(lambda image: image[1:])(batch).evaluate()
    for sample in made:
        np.asarray(sample)[...] = 0
    assert same(arrays(batch), data)


# Results


def test_infer_tells_of_results_before_they_are_made():
    @ndd.operator(results=2, infer=lambda image, *, k: (ndd.Spec(np.float32, 3, "HWC"), ndd.Spec(ndd.int64, 0)))
    def halved(image: Any, k: int = 2) -> Any:
        return np.float32(image) / k, np.int64(k)

    with ndd.EvalMode.deferred:
        half, by = halved(ndd.batch(photos()), k=4)
        assert (half.dtype, half.ndim, half.layout) == (ndd.float32, 3, "HWC")
        assert (by.dtype, by.ndim, by.layout) == (ndd.int64, 0, None)
    assert same(arrays(half), [np.float32(photo) / 4 for photo in photos()])


@pytest.mark.parametrize("mode", MODES)
def test_what_is_not_as_told_is_refused(mode):
    told = ndd.operator(infer=lambda image: image)(lambda image: np.float32(image))
    with mode, pytest.raises(TypeError, match="made f32 with 3 axes, but its `infer` told u8 with 3"):
        told(ndd.batch(photos())).evaluate()


def test_infer_returns_specs():
    with pytest.raises(TypeError, match=r"returned None; it returns an ndd\.Spec for every result"):
        ndd.operator(infer=lambda image: None)(lambda image: image)(ndd.batch(photos()))


# Random numbers


@ndd.operator
def speckled(image: Any, *, amount: int = 50, rng: np.random.Generator) -> Any:
    return image // 2 + rng.integers(0, amount, image.shape, np.uint8)


def seeded(seed: int = 1234, **arguments: Any) -> list[Any]:
    return arrays(speckled(ndd.batch(photos()), rng=ndd.random.RNG(seed), **arguments))


@pytest.mark.parametrize("mode", MODES)
def test_numbers_follow_the_seed_in_every_mode(mode):
    ndd.random.set_seed(1234)
    with mode:
        made, again = speckled(ndd.batch(photos())), speckled(ndd.batch(photos()))
    assert same(arrays(made), seeded())
    assert not same(arrays(again), seeded())
    assert not same(seeded(1), seeded(2))


def test_every_sample_has_numbers_of_its_own():
    zeros = ndd.batch(np.zeros((8, 4), np.uint8))
    made = np.asarray(speckled(zeros, rng=ndd.random.RNG(3)))
    assert len(np.unique(made, axis=0)) == 8
    alone = speckled(zeros.tensors[0], rng=ndd.random.RNG(3))
    assert np.array_equal(np.asarray(alone), made[0])


def test_numbers_do_not_depend_on_threads_or_fusion():
    large = ndd.batch(np.zeros((6, 300, 300), np.uint8))  # large enough for the threads
    expected = np.asarray(speckled(large, rng=ndd.random.RNG(3)))
    with ndd.EvalMode.deferred:
        fused = ndd.copy(speckled(ndd.copy(large), rng=ndd.random.RNG(3)))
    assert np.array_equal(np.asarray(fused), expected)


def epochs(files: list[str], compile: bool) -> list[Any]:
    ndd.random.set_seed(5)
    reader, made = ndd.readers.Numpy(files=files), []
    for _ in range(2):
        for (images,) in reader.next_epoch(batch_size=3, compile=compile):
            made += arrays(speckled(images))
    return made


def test_a_compiled_loop_draws_what_an_eager_one_does(files):
    assert same(epochs(files, True), epochs(files, False))


def test_a_checkpoint_goes_on_with_the_same_numbers(files):
    rng, reader = ndd.random.RNG(7), ndd.readers.Numpy(files=files, enable_checkpointing=True)
    steps = iter(reader.next_epoch(batch_size=3))
    speckled(next(steps)[0], rng=rng)
    saved = rng.get_state(), reader.get_state()
    expected = [arrays(speckled(images, rng=rng)) for (images,) in steps]

    rng, reader = ndd.random.RNG(state=saved[0]), ndd.readers.Numpy(files=files, enable_checkpointing=True)
    reader.set_state(saved[1])
    resumed = [arrays(speckled(images, rng=rng)) for (images,) in reader.next_epoch(batch_size=3)]
    assert len(resumed) == 3
    assert all(map(same, resumed, expected))


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=11, enable_checkpointing=True)
def training(files: list[str]) -> Any:
    images = fn.readers.numpy(files=files)
    return speckled(images), speckled(images, amount=2), speckled(images, seed=3)


def test_a_pipeline_draws_from_its_seed_and_resumes(files):
    one, other = training(files), training(files)
    one.run()
    other.run()
    resumed = training(files, checkpoint=one.checkpoint())
    for outputs in zip(one.run(), other.run(), resumed.run(), strict=True):
        first, *rest = map(arrays, outputs)
        assert all(same(first, each) for each in rest)


def test_some_samples_are_given_to_it(files):
    ndd.random.set_seed(2)
    images = ndd.batch(np.zeros((64, 8), np.uint8))
    some = np.asarray(ndd.maybe(speckled, images, p=0.5, amount=200)).any(1)
    assert 0 < some.sum() < 64


def test_without_inputs_it_draws_batches_and_in_pipelines():
    @ndd.operator
    def corner(*, rng: np.random.Generator, high: int = 100) -> Any:
        return rng.integers(0, high, 2)

    assert corner().shape == (2,)
    assert len(np.unique(np.asarray(corner(batch_size=16)), axis=0)) > 1

    @pipeline_def(batch_size=16, num_threads=1, device_id=None, seed=1)
    def defined() -> Any:
        return corner(), corner(high=1)

    one, zeros = (np.asarray(each.as_array()) for each in defined().run())
    assert len(np.unique(one, axis=0)) > 1
    assert not zeros.any()


def test_a_generator_of_numpy_is_no_rng():
    with pytest.raises(ValueError, match=r"rng must be an instance of ndd.random.RNG, got Generator"):
        speckled(ndd.batch(photos()), rng=np.random.default_rng(0))


# Errors


@ndd.operator
def picky(image: Any) -> Any:
    return look_up(int(image.flat[0]))


def look_up(number: int) -> Any:
    return {0: np.uint8(1)}[number]  # the failing line


def check_lines(caught: Any, sample: str) -> None:
    text = told(caught.value)
    assert f"in picky{sample}, called at {__file__}:" in text
    assert "raised in picky:" in text
    assert f'File "{__file__}", line {look_up.__code__.co_firstlineno + 1}, in look_up' in text
    assert "return look_up(int(image.flat[0]))" in text
    assert "the failing line" in text


@pytest.mark.parametrize("mode", MODES)
def test_an_error_shows_the_lines_of_the_function(mode):
    with mode, pytest.raises(KeyError) as caught:
        picky(ndd.batch(photos())).evaluate()
    check_lines(caught, ", sample 1")
    with mode, pytest.raises(KeyError) as caught:
        ndd.copy(picky(ndd.copy(ndd.tensor(photos()[1])))).evaluate()
    check_lines(caught, "")


def test_so_does_one_in_a_compiled_loop(files):
    def run() -> None:
        for (images,) in ndd.readers.Numpy(files=files[:1] * 5 + files).next_epoch(batch_size=2, compile=True):
            picky(images).evaluate()

    with pytest.raises(KeyError) as caught:
        run()
    check_lines(caught, ", sample 0")
    assert "01.npy" in told(caught.value)


def test_so_does_one_in_a_pipeline(files):
    @pipeline_def(batch_size=2, num_threads=1, device_id=None)
    def defined() -> Any:
        return picky(fn.readers.numpy(files=files))

    with pytest.raises(KeyError) as caught:
        defined().run()
    check_lines(caught, ", sample 1")


@pytest.mark.parametrize("debug", [False, True])
def test_a_condition_decides_whom_it_is_given(debug):
    seen: set[int] = set()

    @ndd.operator
    def noted(image: Any, k: int = 3) -> Any:
        seen.add(int(image[0]))
        return image * k

    @pipeline_def(batch_size=4, num_threads=1, device_id=None, enable_conditionals=True, debug=debug)
    def defined() -> Any:
        image = fn.external_source(lambda: [np.full(2, k) for k in range(4)])
        image = image + 1
        if image[0] > 2:
            image = noted(image, 10)
        return image

    (made,) = defined().run()
    assert [array.tolist() for array in arrays(made)] == [[1, 1], [2, 2], [30, 30], [40, 40]]
    assert seen == {3, 4}


# Other compilers and libraries


def test_a_function_compiled_by_numba(files):
    numba = pytest.importorskip("numba")

    @ndd.operator
    @numba.njit(nogil=True)
    def brightest(image, at_least=0):  # type: ignore[no-untyped-def]
        best = at_least
        for value in image.flat:
            best = max(best, value)
        return best

    made = [
        values for (images,) in ndd.readers.Numpy(files=files).next_epoch(4) for values in arrays(brightest(images))
    ]
    assert made == [photo.max() for photo in photos(12)]
    assert arrays(brightest(ndd.batch(photos()), at_least=300)) == [300] * 4

    @ndd.operator
    @numba.njit
    def writing(image):  # type: ignore[no-untyped-def]
        image[0] = 0
        return image

    with pytest.raises(ValueError, match="inplace=True"):
        writing(ndd.batch(photos())).evaluate()


def test_a_function_on_tensors():
    torch = pytest.importorskip("torch")

    def halved(image, weight: float = 0.5):  # type: ignore[no-untyped-def]
        assert isinstance(image, torch.Tensor)
        image *= 0 if weight > 1 else 1  # of a copy
        return image.permute(2, 0, 1) * weight, image

    halved.__annotations__["image"] = torch.Tensor
    batch = ndd.batch(photos())
    made, same_image = ndd.operator(results=2)(halved)(batch)
    assert same(arrays(made), [np.float32(photo.transpose(2, 0, 1)) * 0.5 for photo in photos()])
    assert same(arrays(same_image), photos())
    ndd.operator(results=2)(halved)(batch, weight=2.0)[0].evaluate()
    assert same(arrays(batch), photos())
