"""Sequences: operators that know only images, and arguments with a value for every frame."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import penstock.dynamic as ndd
from penstock.dynamic.calls.functions import declaration, from_operator
from penstock.schema import PerSample, operator


@operator(layouts=("FHWC", "HWC"), frames=True, infer=lambda image, **_: image)
def shifted(image, *, by: PerSample[int] = 1):
    """Adds a number to every pixel."""
    assert image.ndim == 3
    return image + np.uint8(by)


shift = from_operator(shifted)


@operator(layouts=("FHWC", "HWC"), frames=True, infer=lambda image, offset: image)
def summed(image, offset):
    """Adds a second input to an image."""
    return image + offset.astype(np.uint8)


add = from_operator(summed)


def sequence(frames, start=0):
    return np.arange(start, start + frames * 6, dtype=np.uint8).reshape(frames, 2, 3, 1)


def mirrored(sequence, flags):
    return np.stack([frame[:, ::-1] if flag else frame for frame, flag in zip(sequence, flags, strict=True)])


@pytest.fixture(params=["native", "plain"])
def flip(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(declaration("flip"), "native_step", None)
    return ndd.flip


def test_every_frame_takes_its_own_value(flip):
    video = ndd.tensor(sequence(3), layout="FHWC")
    result = flip(video, horizontal=ndd.per_frame(ndd.tensor([0, 1, 1])))
    assert result.layout == "FHWC"
    assert_array_equal(np.asarray(result), mirrored(sequence(3), [0, 1, 1]))


def test_per_frame_per_sample_and_constant_arguments_mix(flip):
    videos = ndd.batch([sequence(2), sequence(3, 50)], layout="FHWC")
    result = flip(videos, horizontal=ndd.per_frame(ndd.batch([[0, 1], [1, 0, 1]])), vertical=ndd.batch([0, 1]))
    first, second = (np.asarray(each) for each in result)
    assert_array_equal(first, mirrored(sequence(2), [0, 1]))
    assert_array_equal(second, mirrored(sequence(3, 50), [1, 0, 1])[:, ::-1])


def test_one_value_serves_all_frames(flip):
    videos = ndd.batch([sequence(2), sequence(3)], layout="FHWC")
    result = flip(videos, horizontal=ndd.per_frame(ndd.batch([[1], [0]])))
    assert_array_equal(np.asarray(result.tensors[0]), mirrored(sequence(2), [1, 1]))
    assert_array_equal(np.asarray(result.tensors[1]), sequence(3))


def test_one_tensor_of_values_serves_every_sample(flip):
    videos = ndd.batch([sequence(2), sequence(2, 9)], layout="FHWC")
    result = flip(videos, horizontal=ndd.per_frame(ndd.tensor([1, 0])))
    assert_array_equal(np.asarray(result.tensors[1]), mirrored(sequence(2, 9), [1, 0]))


def test_too_many_values_are_refused_with_both_numbers(flip):
    video = ndd.tensor(sequence(2), layout="FHWC")
    with pytest.raises(RuntimeError, match=r"`horizontal` contains 3 per-frame parameters, but there are 2 frames in"):
        flip(video, horizontal=ndd.per_frame(ndd.tensor([0, 1, 1]))).evaluate()


def test_values_for_frames_need_a_sequence():
    image = ndd.tensor(sequence(2)[0], layout="HWC")
    with pytest.raises(RuntimeError, match="has no frames"):
        ndd.flip(image, horizontal=ndd.per_frame(ndd.tensor([0, 1])))


def test_an_unmarked_list_of_values_is_refused():
    video = ndd.tensor(sequence(2), layout="FHWC")
    with pytest.raises(RuntimeError, match="one number per sample"):
        ndd.flip(video, horizontal=ndd.tensor([0, 1])).evaluate()


def test_an_operator_of_images_meets_frames_one_by_one():
    videos = ndd.batch([sequence(2), sequence(3)], layout="FHWC")
    result = shift(videos, by=ndd.per_frame(ndd.batch([[1, 2], [3, 4, 5]])))
    assert (result.layout, result.ndim) == ("FHWC", 4)
    assert_array_equal(np.asarray(result.tensors[0]), sequence(2) + np.array([1, 2], np.uint8)[:, None, None, None])


def test_a_sequence_without_frames_stays_one():
    empty = ndd.flip(ndd.tensor(sequence(0), layout="FHWC"), horizontal=ndd.per_frame(ndd.tensor([1])))
    assert empty.shape == (0, 2, 3, 1)


def test_a_second_input_may_be_a_sequence_too():
    offsets = ndd.per_frame(ndd.tensor(np.array([10, 20])))
    result = add(ndd.tensor(sequence(2), layout="FHWC"), offsets)
    assert_array_equal(np.asarray(result), sequence(2) + np.array([10, 20], np.uint8)[:, None, None, None])


def test_an_image_beside_a_sequence_serves_as_every_frame():
    image = sequence(1)[0]
    result = add(ndd.tensor(image, layout="HWC"), ndd.per_frame(ndd.tensor(np.array([10, 20]))))
    assert result.layout == "FHWC"
    assert_array_equal(np.asarray(result), np.stack([image + 10, image + 20]).astype(np.uint8))


def test_every_mode_agrees_on_frames():
    videos = ndd.batch([sequence(2), sequence(3)], layout="FHWC")
    flags = [[0, 1], [1, 0, 1]]
    wanted = [np.asarray(t) for t in ndd.flip(videos, horizontal=ndd.per_frame(ndd.batch(flags)))]
    for mode in (ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu):
        with mode:
            made = ndd.flip(ndd.copy(videos), horizontal=ndd.per_frame(ndd.batch(flags)))
            for got, want in zip(made, wanted, strict=True):
                assert_array_equal(np.asarray(got), want)


def test_what_follows_in_a_chain_of_plain_functions_is_not_lost():
    @ndd.operator
    def doubled(image):
        return image * np.uint8(2)

    video = ndd.tensor(sequence(2), layout="FHWC")
    with ndd.EvalMode.deferred:
        result = np.asarray(doubled(shift(video, by=ndd.per_frame(ndd.tensor([1, 2])))))
    assert_array_equal(result, (sequence(2) + np.array([1, 2], np.uint8)[:, None, None, None]) * 2)


@pytest.mark.parametrize("mode", [ndd.EvalMode.deferred, ndd.EvalMode.eager, ndd.EvalMode.sync_cpu])
def test_a_follower_with_values_for_frames_says_the_same_in_a_chain_and_alone(mode):
    @ndd.operator
    def raised(image, *, by: ndd.PerSample[int] = 1):
        return image + np.uint8(by)

    video = ndd.tensor(sequence(2), layout="FHWC")
    with mode, pytest.raises(RuntimeError, match="has no frames"):
        raised(raised(video, by=1), by=ndd.per_frame(ndd.tensor([1, 2]))).evaluate()
