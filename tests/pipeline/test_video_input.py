"""fn.experimental.inputs.video, and sources that wait to be fed."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest

from penstock import Pipeline, fn, pipeline_def
from video.clips import clip, numbers_in


def data(count: int, **options: Any) -> Any:
    return [np.frombuffer(clip(count=count, **options), np.uint8)]


def pipeline(define: Any = None, depth: int = 2, **arguments: Any) -> Any:
    def of_video() -> Any:
        return fn.experimental.inputs.video(name="video", **{"sequence_length": 3, **arguments})

    options = {"batch_size": 3, "num_threads": 2, "device_id": None, "prefetch_queue_depth": depth}
    return pipeline_def(define or of_video, **options)()


def numbers(output: Any) -> list[list[int]]:
    return [numbers_in(np.asarray(sequence)) for sequence in output]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_video_is_handed_out_sequence_by_sequence(depth: int) -> None:
    pipe = pipeline(depth=depth)
    pipe.feed_input("video", data(17))
    [first] = pipe.run()
    assert (first.layout(), first[0].shape()) == ("FHWC", [3, 48, 64, 3])
    assert numbers(first) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert numbers(pipe.run()[0]) == [[9, 10, 11], [12, 13, 14], [15, 16]]
    for _ in range(2):
        with pytest.raises(RuntimeError, match="No data was provided to the InputOperator"):
            pipe.run()
    pipe.feed_input("video", data(5))
    assert numbers(pipe.run()[0]) == [[0, 1, 2], [3, 4]]


def test_frames_are_those_of_the_decoder() -> None:
    pipe = pipeline()
    pipe.feed_input("video", data(17))
    whole = pipeline(lambda: fn.decoders.video(fn.external_source(lambda: data(17) * 3))).run()[0]
    made = np.concatenate([np.asarray(sequence) for _ in range(2) for sequence in pipe.run()[0]])
    np.testing.assert_array_equal(made, np.asarray(whole[0]))


def test_the_bytes_may_have_a_leading_axis_of_one() -> None:
    pipe = pipeline()
    pipe.feed_input("video", np.array([data(5)]))
    assert numbers(pipe.run()[0]) == [[0, 1, 2], [3, 4]]
    with pytest.raises(RuntimeError, match=r"got u8 of the shape \(2, 50\)"):
        pipe.feed_input("video", np.zeros((1, 2, 50), np.uint8))


def test_the_last_sequence_may_end_in_black_frames() -> None:
    pipe = pipeline(last_sequence_policy="pad")
    pipe.feed_input("video", data(5))
    sequences = [np.asarray(each) for each in pipe.run()[0]]
    assert [each.shape for each in sequences] == [(3, 48, 64, 3)] * 2
    assert numbers_in(sequences[1][:2]) == [3, 4]
    assert not sequences[1][2].any()


@pytest.mark.parametrize("depth", [1, 3])
def test_videos_that_wait_follow_each_other(depth: int) -> None:
    pipe = pipeline(depth=depth, sequence_length=4)
    for video in (data(5), data(6, size=(96, 64)), data(17)):
        pipe.feed_input("video", video)
    assert numbers(pipe.run()[0]) == [[0, 1, 2, 3], [4]]
    [second] = pipe.run()
    assert (second[0].shape(), numbers(second)) == ([4, 64, 96, 3], [[0, 1, 2, 3], [4, 5]])
    assert numbers(pipe.run()[0]) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_reset_loses_nothing_that_was_made_ahead() -> None:
    pipe = pipeline(depth=3)
    pipe.feed_input("video", data(40))
    assert numbers(pipe.run()[0])[0] == [0, 1, 2]
    pipe.reset()
    assert numbers(pipe.run()[0])[0] == [9, 10, 11]
    assert numbers(pipe.run()[0])[0] == [18, 19, 20]


def test_other_operators_follow_its_batches() -> None:
    def define() -> Any:
        frames = fn.experimental.inputs.video(name="video", sequence_length=4)
        return fn.resize(frames, size=[12, 16]), fn.random.uniform(range=(0, 1))

    pipe = pipeline(define)
    pipe.feed_input("video", data(5))
    small, draws = pipe.run()
    assert ([each.shape() for each in small], len(draws)) == ([[4, 12, 16, 3], [1, 12, 16, 3]], 2)


def test_a_written_pipeline_takes_videos_too() -> None:
    pipe = Pipeline.deserialize(pipeline(last_sequence_policy="pad", depth=1).serialize())
    pipe.feed_input("video", data(5))
    assert [each.shape()[0] for each in pipe.run()[0]] == [3, 3]


def test_a_damaged_frame_fails_its_batch_alone() -> None:
    damaged = data(40, codec="mjpeg", container="avi", pixels="yuvj420p")[0].copy()
    starts = [found.start() for found in re.finditer(b"\xff\xd8\xff", damaged.tobytes())]
    damaged[starts[20] : starts[21] - 8] = 0xFF  # the whole frame: FFmpeg 9 decodes some without their headers
    pipe = pipeline()
    pipe.feed_input("video", [damaged])
    results = []
    for _ in range(5):
        try:
            results.append(len(pipe.run()[0]))
        except RuntimeError as error:
            results.append(str(error))
    assert [each for each in results if isinstance(each, int)] == [3, 3, 3, 2]
    assert sum("cannot be decoded" in str(each) for each in results) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([np.arange(100, dtype=np.uint8)], "cannot be opened as a video"),
        ([np.arange(100, dtype=np.int32)], "uint8 array with one axis"),
        (data(5) * 2, "one video is fed at a time, got 2"),
        ([np.zeros(0, np.uint8)], "video"),
    ],
)
def test_what_is_no_video_is_refused_where_it_is_fed(given: Any, message: str) -> None:
    pipe = pipeline()
    with pytest.raises(RuntimeError, match=message):
        pipe.feed_input("video", given)
    pipe.feed_input("video", data(5))
    assert numbers(pipe.run()[0]) == [[0, 1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"last_sequence_policy": "x"}, RuntimeError, "Provided `last_sequence_policy` is not supported: x"),
        ({"sequence_length": 0}, RuntimeError, "must be positive"),
        ({"sequence_length": None}, RuntimeError, "Not all required arguments were specified for op"),
        ({"device": "tpu"}, ValueError, "Unsupported device type"),
        ({"foo": 1}, KeyError, 'Argument "foo" is not defined for operator "experimental__inputs__Video"'),
    ],
)
def test_bad_arguments(arguments: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        pipeline(**arguments)


def test_there_are_no_checkpoints_of_it() -> None:
    pipe = pipeline_def(
        lambda: fn.experimental.inputs.video(sequence_length=1), batch_size=1, num_threads=1, enable_checkpointing=True
    )()
    with pytest.raises(RuntimeError, match="Checkpointing is not implemented for this operator"):
        pipe.checkpoint()


@pytest.mark.parametrize("kind", ["video", "external source"])
def test_a_blocking_source_waits_for_another_thread(kind: str) -> None:
    def define() -> Any:
        if kind == "video":
            return fn.experimental.inputs.video(name="video", sequence_length=3, blocking=True)
        return fn.external_source(name="video", blocking=True)

    pipe = pipeline(define, depth=1)
    pipe.build()
    got: list[int] = []
    waiting = threading.Thread(target=lambda: got.append(len(pipe.run()[0])))
    waiting.start()
    pipe.feed_input("video", data(2))
    waiting.join(timeout=30)
    assert got == [1]


def test_a_sequence_beyond_the_limit_is_refused_before_it_is_made() -> None:
    frame = 48 * 64 * 3
    pipe = pipeline(max_bytes=8 * 48 * 64)  # what decoding a frame takes, and two frames of a sequence
    pipe.feed_input("video", data(5))
    with pytest.raises(RuntimeError, match=f"a sequence of 3 frames would take {3 * frame} bytes"):
        pipe.run()
    pipe = pipeline(max_bytes=3 * frame)
    pipe.feed_input("video", data(5))
    assert numbers(pipe.run()[0]) == [[0, 1, 2], [3, 4]]
    with pytest.raises(RuntimeError, match=r"a frame of 64x48 would take 24576 bytes .* the limit of 24575"):
        pipeline(max_bytes=8 * 48 * 64 - 1).feed_input("video", data(5))


def test_the_limit_of_the_environment_counts_for_fed_videos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_MAX_BYTES", "1000")
    with pytest.raises(RuntimeError, match="more than the limit of 1000; raise max_bytes"):
        pipeline().feed_input("video", data(5))
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        pipeline(max_bytes=0)
