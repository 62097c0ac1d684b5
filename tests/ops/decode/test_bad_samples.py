"""on_error of decoders: what becomes of samples whose data are bad."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.audio.sounds import encoded
from ops.promises import photos
from penstock import types
from penstock.engine import events
from video.clips import clip

MODES = [ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu]
SIZES = [(48, 64), (40, 56), (33, 47), (56, 40), (64, 64)]


def as_bytes(data: bytes) -> np.ndarray:
    return np.frombuffer(data, np.uint8)


def jpegs() -> list[np.ndarray]:
    return [cv2.imencode(".jpg", photo)[1].ravel() for photo in photos(SIZES)]


def cut(data: np.ndarray) -> np.ndarray:
    return data[: len(data) // 2]


def damaged(*bad: int) -> list[np.ndarray]:
    """Five JPEGs, some of them cut off."""
    return [cut(data) if i in bad else data for i, data in enumerate(jpegs())]


def npy(array: np.ndarray) -> np.ndarray:
    file = io.BytesIO()
    np.save(file, array)
    return as_bytes(file.getvalue())


def literal(data: bytes) -> np.ndarray:
    """An LZ4 block of less than fifteen bytes as they are."""
    return as_bytes(bytes([len(data) << 4]) + data)


GARBAGE = as_bytes(b"not what it should be")
SOUND = encoded(np.linspace(-1, 1, 2000, dtype=np.float32)[:, None].repeat(2, axis=1))
NUMBERS = npy(np.arange(6, dtype=np.float32).reshape(2, 3))
VIDEO = as_bytes(clip("mjpeg", "avi", 3, pixels="yuvj420p"))
# Every decoder with its arguments, a good sample and a bad one.
DECODERS: list[tuple[str, dict[str, Any], np.ndarray, np.ndarray]] = [
    ("decoders.image", {}, jpegs()[0], cut(jpegs()[0])),
    ("decoders.image", {"output_type": types.GRAY, "dtype": ndd.float32}, jpegs()[0], GARBAGE),
    ("decoders.image", {"output_type": types.ANY_DATA}, cv2.imencode(".png", photos([(8, 9)])[0])[1].ravel(), GARBAGE),
    ("decoders.image_crop", {"crop": (16, 20)}, jpegs()[0], GARBAGE),
    ("decoders.image_slice", {"rel_start": [0.5, 0.5], "rel_shape": [0.5, 0.5]}, jpegs()[0], cut(jpegs()[0])),
    ("decoders.image_random_crop", {"random_area": [0.9, 1.0]}, jpegs()[0], GARBAGE),
    ("decoders.audio", {}, SOUND, GARBAGE),
    ("decoders.audio", {"downmix": True, "dtype": ndd.int16, "sample_rate": 8000}, SOUND, GARBAGE),
    ("decoders.numpy", {}, NUMBERS, NUMBERS[:-3]),
    ("decoders.inflate", {"shape": [2, 5]}, literal(bytes(range(10))), literal(bytes(7))),
    ("decoders.video", {}, VIDEO, GARBAGE),
]


def function(path: str) -> Any:
    found: Any = ndd
    for part in path.split("."):
        found = getattr(found, part)
    return found


def every(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def arrays(batch: ndd.Batch) -> list[np.ndarray]:
    return [np.asarray(sample) for sample in batch]


@pytest.mark.parametrize(("path", "arguments", "good", "bad"), DECODERS)
def test_replace_is_zeros_in_the_shape_of_a_good_sample(path, arguments, good, bad):
    errors = []
    decode = function(path)
    made = every(decode(ndd.batch([good, bad, good]), on_error="replace", errors=errors, **arguments))
    alone = every(decode(ndd.batch([good, good, good]), **arguments))
    for result, whole in zip(made, alone, strict=True):
        assert (result.dtype, result.layout) == (whole.dtype, whole.layout)
        if path != "decoders.image_random_crop":
            for place in (0, 2):
                np.testing.assert_array_equal(arrays(result)[place], arrays(whole)[place])
    np.testing.assert_array_equal(arrays(made[0])[1], np.zeros_like(arrays(made[0])[0]))
    assert [each.index for each in errors] == [1]


@pytest.mark.parametrize(("path", "arguments", "good", "bad"), DECODERS)
def test_without_a_good_sample_a_small_one_serves(path, arguments, good, bad):
    for data in (bad, ndd.batch([bad, bad])):
        made = every(function(path)(data, on_error="replace", **arguments))
        whole = every(function(path)(good, **arguments))
        for result, expected in zip(made, whole, strict=True):
            one = result.tensors[0] if isinstance(result, ndd.Batch) else result
            assert (one.dtype, one.layout) == (expected.dtype, expected.layout)
            assert not np.asarray(one).any()


@pytest.mark.parametrize(("path", "arguments", "good", "bad"), DECODERS)
def test_skip_tells_the_places_of_the_others(path, arguments, good, bad):
    errors = []
    *made, kept = function(path)(ndd.batch([bad, good, bad, good]), on_error="skip", errors=errors, **arguments)
    assert kept == [1, 3]
    assert [each.index for each in errors] == [0, 2]
    for result, whole in zip(made, every(function(path)(good, **arguments)), strict=True):
        assert result.batch_size == 2
        if path != "decoders.image_random_crop":
            np.testing.assert_array_equal(arrays(result)[1], np.asarray(whole))


@pytest.mark.parametrize(("path", "arguments", "good", "bad"), DECODERS)
def test_raise_is_the_default(path, arguments, good, bad):
    for options in ({}, {"on_error": "raise"}, {"on_error": None}):
        with pytest.raises(RuntimeError) as raised:
            [result.evaluate() for result in every(function(path)(ndd.batch([good, bad]), **arguments, **options))]
        assert type(raised.value) is RuntimeError


def test_labels_follow_the_images_that_are_kept():
    labels = ndd.batch([10, 11, 12, 13, 14])
    images, kept = ndd.decoders.image(ndd.batch(damaged(0, 3)), on_error="skip")
    labels = labels.select(kept)
    assert [label.item() for label in labels] == [11, 12, 14]
    assert [shape[:2] for shape in images.shape] == [SIZES[1], SIZES[2], SIZES[4]]


def test_skip_may_leave_all_or_none():
    images, kept = ndd.decoders.image(ndd.batch(jpegs()), on_error="skip")
    assert (kept, images.batch_size) == ([0, 1, 2, 3, 4], 5)
    images, kept = ndd.decoders.image(ndd.batch([GARBAGE]), on_error="skip")
    assert (kept, images.batch_size, images.dtype) == ([], 0, ndd.uint8)
    images, kept = ndd.decoders.image(ndd.batch(np.zeros((0, 4), np.uint8)), on_error="skip")
    assert (kept, images.batch_size) == ([], 0)
    with pytest.raises(ValueError, match="leaves samples out of a Batch; the input is a Tensor"):
        ndd.decoders.image(GARBAGE, on_error="skip")


def test_a_function_gives_the_sample_instead():
    asked = []

    def grey(bad, data):
        asked.append((bad.index, str(bad.error), len(data)))
        return np.full((4, 5, 3), 300.0) if bad.index == 1 else None

    data = damaged(1, 2)
    made = arrays(ndd.decoders.image(ndd.batch(data), on_error=grey))
    assert made[1].tolist() == [[[255] * 3] * 5] * 4
    assert (made[2].shape, made[2].max()) == (made[0].shape, 0)
    assert [(index, length) for index, _, length in asked] == [(1, len(data[1])), (2, len(data[2]))]
    assert "the JPEG ends early" in asked[0][1]


def test_a_function_for_several_results():
    files = ndd.batch([SOUND, GARBAGE])
    _, rates = ndd.decoders.audio(files, on_error=lambda bad, data: (np.zeros((3, 2)), 16000))
    assert rates.tensors[1].item() == 16000
    with pytest.raises(TypeError, match="a tuple of 2 arrays, got ndarray"):
        ndd.decoders.audio(files, on_error=lambda bad, data: np.zeros((3, 2)))[0].evaluate()


def test_bad_functions_and_policies():
    files = ndd.batch(damaged(1))
    with pytest.raises(ValueError, match="an array of 2 axes, the other samples have 3"):
        ndd.decoders.image(files, on_error=lambda bad, data: np.zeros((3, 3))).evaluate()
    with pytest.raises(KeyError, match="mine"):
        ndd.decoders.image(files, on_error=lambda bad, data: {}["mine"]).evaluate()
    with pytest.raises(ValueError, match="on_error is 'raise', 'skip', 'replace' or a function, got 'ignore'"):
        ndd.decoders.image(files, on_error="ignore")
    with pytest.raises(TypeError, match="errors is a list to add to, got dict"):
        ndd.decoders.image(files, on_error="replace", errors={})
    with pytest.raises(TypeError, match="unexpected keyword argument 'on_error'"):
        ndd.flip(photos([(2, 2)])[0], on_error="skip")
    with pytest.raises(TypeError, match="did you mean 'on_error'"):
        ndd.decoders.image(files, on_eror="skip")


def test_arguments_are_still_checked_at_the_call():
    with pytest.raises(RuntimeError, match="1-D uint8"):
        ndd.decoders.image(np.zeros((2, 2), np.uint8), on_error="replace")


def test_errors_name_number_source_and_call(tmp_path):
    for name, data in zip("abcde", damaged(1, 3), strict=True):
        (tmp_path / f"{name}.jpg").write_bytes(data.tobytes())
    reader = ndd.readers.File(files=[str(tmp_path / f"{name}.jpg") for name in "abcde"])
    errors = []
    for files, _ in reader.next_epoch(batch_size=5):
        images = ndd.decoders.image(files.select([4, 3, 1]), on_error="replace", errors=errors)
        assert ndd.get_property(images, key="index").evaluate().batch_size == 3
        assert [index.item() for index in ndd.get_property(images, key="index")] == [4, 3, 1]
    assert [(bad.index, bad.source) for bad in errors] == [(3, str(tmp_path / "d.jpg")), (1, str(tmp_path / "b.jpg"))]
    assert "the JPEG ends early" in str(errors[0].error)


def chain(files: ndd.Batch, **options: Any) -> ndd.Batch:
    images = ndd.resize(ndd.decoders.image(files, **options), size=[24, 32])
    return ndd.crop_mirror_normalize(images, mean=[1.0, 2.0, 3.0], std=[2.0] * 3, mirror=ndd.batch([0, 1, 0, 1, 0]))


@pytest.mark.parametrize("mode", MODES)
def test_a_chain_goes_on_with_what_was_put_in(mode):
    """Whether it ran fused or not, a sample comes out as if it had been alone."""
    with mode:
        good = arrays(chain(ndd.batch(jpegs())))
        made = arrays(chain(ndd.batch(damaged(1, 4)), on_error="replace"))
    for place in (0, 2, 3):
        np.testing.assert_array_equal(made[place], good[place])
    black = np.broadcast_to(np.float32([-0.5, -1.0, -1.5])[:, None, None], made[1].shape)
    for place in (1, 4):
        np.testing.assert_array_equal(made[place], black)


@pytest.mark.parametrize("options", [{}, {"on_error": "replace"}, {"on_error": lambda bad, data: None}])
def test_a_chain_stays_one_stage(options):
    stages: list[Any] = []
    events.stage_listeners.append(stages.append)
    try:
        with ndd.EvalMode.deferred:
            chain(ndd.batch(jpegs()), **options).evaluate()
    finally:
        events.stage_listeners.remove(stages.append)
    assert ("decoders.image", "resize", "crop_mirror_normalize") in [stage.operators for stage in stages]


def test_an_error_later_in_the_chain_is_no_bad_sample():
    errors = []
    with ndd.EvalMode.deferred:
        images = ndd.decoders.image(ndd.batch(damaged(2)), on_error="replace", errors=errors)
        cropped = ndd.crop(images, crop=(50, 50))
        with pytest.raises(RuntimeError, match="out of bounds"):
            cropped.evaluate()


def test_per_sample_arguments_and_draws_stay_with_their_samples():
    good, bad = ndd.batch(jpegs()), ndd.batch(damaged(0, 2))
    width = ndd.batch([8, 9, 10, 11, 12])
    whole = arrays(ndd.decoders.image_crop(good, crop_w=width, crop_h=8))
    made = arrays(ndd.decoders.image_crop(bad, crop_w=width, crop_h=8, on_error="replace"))
    whole += arrays(ndd.decoders.image_random_crop(good, rng=ndd.random.RNG(7)))
    made += arrays(ndd.decoders.image_random_crop(bad, rng=ndd.random.RNG(7), on_error="replace"))
    for place in (1, 3, 4, 6, 8, 9):
        np.testing.assert_array_equal(made[place], whole[place])
    anchors = ndd.batch([[1.0, 2.0]] * 5), ndd.batch([[9.0, 8.0]] * 4 + [[7.0, 6.0]])
    sliced = ndd.decoders.image_slice(
        bad, *anchors, normalized_anchor=False, normalized_shape=False, on_error="replace"
    )
    assert sliced.shape == [(8, 9, 3)] * 4 + [(6, 7, 3)]


def test_a_window_decodes_where_the_rest_is_missing():
    """A sample's fate does not depend on those beside it: here only the whole image is out of reach."""
    top = {"start": [0, 0], "shape": [16, 4], "axis_names": "WH"}
    cut_off = damaged(0)[0]
    alone = np.asarray(ndd.decoders.image_slice(cut_off, **top))
    made = ndd.decoders.image_slice(ndd.batch([GARBAGE, cut_off]), on_error="replace", **top)
    np.testing.assert_array_equal(arrays(made)[1], alone)


def test_missing_memory_and_packages_are_no_bad_samples():
    @ndd.operator(blank=lambda good, **arguments: np.zeros(1))
    def picky(data):
        raise (ImportError if data[0] else MemoryError)("not there")

    for value, error in ((0, MemoryError), (1, ImportError)):
        with pytest.raises(error, match="not there"):
            picky(ndd.batch([[value]]), on_error="replace").evaluate()


def test_operators_of_the_user_can_have_it():
    @ndd.operator(blank=lambda good, **arguments: np.full(2, -1))
    def halves(data):
        if len(data) % 2:
            raise RuntimeError("odd")
        return data[: len(data) // 2]

    made = halves(ndd.batch([[1, 2, 3, 4], [1], [5, 6]]), on_error="replace")
    assert [array.tolist() for array in arrays(made)] == [[1, 2], [-1, -1], [5]]


@settings(deadline=None, max_examples=25)
@given(
    bad=st.sets(st.integers(0, 4)),
    kind=st.sampled_from(["cut", "garbage", "empty"]),
    policy=st.sampled_from(["replace", "skip"]),
    mode=st.sampled_from(MODES),
)
def test_any_samples_may_be_bad(bad, kind, policy, mode):
    wrong = {"cut": cut(jpegs()[0]), "garbage": GARBAGE, "empty": GARBAGE[:0]}[kind]
    files = ndd.batch([wrong if i in bad else data for i, data in enumerate(jpegs())])
    expected = arrays(ndd.decoders.image(ndd.batch(jpegs())))
    errors = []
    with mode:
        if policy == "skip":
            images, kept = ndd.decoders.image(files, on_error="skip", errors=errors)
            made = dict(zip(kept, arrays(images), strict=True))
        else:
            made = dict(enumerate(arrays(ndd.decoders.image(files, on_error="replace", errors=errors))))
            kept = [i for i in range(5) if i not in bad]
    assert sorted(bad) == [each.index for each in errors]
    assert kept == [i for i in range(5) if i not in bad]
    for place in kept:
        np.testing.assert_array_equal(made[place], expected[place])
    for place in made.keys() - set(kept):
        assert made[place].shape == (expected[kept[0]].shape if kept else (1, 1, 3))
        assert not made[place].any()


@pytest.mark.parametrize("path", ["image", "image_crop", "image_random_crop"])
def test_older_names_take_it_too(path):
    with pytest.warns(DeprecationWarning, match="is now called"):
        images = getattr(ndd.experimental.decoders, path)(ndd.batch([jpegs()[0], GARBAGE]), on_error="replace")
    assert not arrays(images)[1].any()
