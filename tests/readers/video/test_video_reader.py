"""`readers.Video`, `experimental.readers.Video`: exactly the frames of each sequence, and what comes with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
import penstock.types as types
from penstock.readers.video.video import ExperimentalVideo, Video
from penstock.video import VideoFile
from penstock.video.track import Track
from readers.videos import CODECS, consecutive, epoch_of, fails, rows, shown, write_clip, write_tree
from video.clips import numbers_in

READERS = (Video, ExperimentalVideo)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def twenty(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_clip(tmp_path_factory.mktemp("clip") / "a-vp9.webm", 20, rate=10, gop=4)


@pytest.mark.parametrize("kind", CODECS)
@pytest.mark.parametrize("reader", READERS)
def test_frames_are_those_of_decoding_everything(tmp_path, reader, kind):
    path = write_clip(tmp_path / f"a-{kind}", 20, gop=7)
    with VideoFile(path, name=path) as video:
        everything = video.read(np.arange(20))
    for step, stride in ((-1, 1), (2, 3), (9, 2), (1, 1)):
        expected = consecutive(20, 4, step if step > 0 else None, stride)
        sequences = reader(filenames=path, sequence_length=4, step=step, stride=stride)
        for numbers, (frames,) in zip(expected, sequences.next_epoch(), strict=True):
            np.testing.assert_array_equal(frames.sample(0), everything[numbers])


@pytest.mark.parametrize("batch_size", [1, 3, 5])
@pytest.mark.parametrize("shuffle", [False, True])
def test_batches_decoded_in_parallel_are_those_read_one_by_one(tree, batch_size, shuffle):
    arguments = {"file_root": tree, "sequence_length": 3, "step": 2, "random_shuffle": shuffle, "seed": 3}
    alone = epoch_of(Video(**arguments))
    together = epoch_of(Video(**arguments), batch_size)
    assert together[: len(alone)] == alone
    assert len(alone) == 9 + 3 + 2 + 6


@pytest.mark.parametrize("reader", READERS)
def test_labels_frame_numbers_and_times(twenty, reader):
    given = {"filenames": [twenty], "sequence_length": 3, "step": 8, "stride": 2, "enable_timestamps": True}
    frames, labels, numbers, times = next(
        reader(labels=[7], enable_frame_num="sequence", **given).next_epoch(batch_size=2)
    )
    assert (frames.layout, frames.shape(0), frames.sources) == ("FHWC", (3, 48, 64, 3), [twenty, twenty])
    assert shown(frames) == rows(numbers) == [[0, 2, 4], [8, 10, 12]]
    assert rows(labels) == [[7], [7]]
    np.testing.assert_allclose(rows(times), [[0, 0.2, 0.4], [0.8, 1.0, 1.2]])
    assert [output.sample(0).dtype for output in (labels, numbers, times)] == [np.int32, np.int32, np.float64]
    frames, numbers, times = next(reader(enable_frame_num=True, **given).next_epoch(batch_size=2))
    assert rows(numbers) == [[0], [8]]


def test_an_empty_list_of_labels_numbers_the_files(twenty):
    batches = Video(filenames=[twenty, twenty], labels=[], sequence_length=10).next_epoch(batch_size=2)
    assert [rows(labels) for _, labels in batches] == [[[0], [0]], [[1], [1]]]


@pytest.mark.parametrize("reader", READERS)
def test_folders_are_classes_and_only_their_videos_count(tree, reader):
    outputs = list(reader(file_root=tree, sequence_length=5).next_epoch())
    assert [shown(frames)[0] for frames, _ in outputs] == [
        *consecutive(20, 5), *consecutive(7, 5), *consecutive(5, 5), *consecutive(13, 5)
    ]  # fmt: skip
    assert [rows(label)[0][0] for _, label in outputs] == [0, 0, 0, 0, 0, 1, 1, 1]


def test_videos_of_different_sizes_make_one_batch(tmp_path):
    paths = [write_clip(tmp_path / f"{size[0]}-vp9.webm", 4, size=size) for size in ((64, 48), (32, 64))]
    (frames,) = next(Video(filenames=paths, sequence_length=4).next_epoch(batch_size=2))
    assert frames.shapes() == [(4, 48, 64, 3), (4, 64, 32, 3)]
    assert shown(frames)[0] == [0, 1, 2, 3]


def test_the_rest_of_a_video_is_filled_up_with_black(twenty):
    given = {"filenames": twenty, "sequence_length": 8, "enable_frame_num": "sequence", "enable_timestamps": True}
    assert len(list(Video(**given).next_epoch())) == 2
    *_, (frames, numbers, times) = Video(pad_sequences=True, **given).next_epoch()
    assert rows(numbers) == [[16, 17, 18, 19, -1, -1, -1, -1]]
    np.testing.assert_allclose(times.sample(0), [1.6, 1.7, 1.8, 1.9, -1, -1, -1, -1])
    assert frames.sample(0)[4:].max() == 0
    assert shown(frames)[0][:4] == [16, 17, 18, 19]


PADDED = {
    "constant": [18, 19, -1, -1, -1, -1],
    "edge": [18, 19, 19, 19, 19, 19],
    "repeat": [18, 19, 19, 19, 19, 19],
    "reflect_1001": [18, 19, 19, 18, 17, 16],
    "symmetric": [18, 19, 19, 18, 17, 16],
    "reflect_101": [18, 19, 18, 17, 16, 15],
    "reflect": [18, 19, 18, 17, 16, 15],
}


@pytest.mark.parametrize(("mode", "expected"), PADDED.items())
def test_the_ways_to_pad(twenty, mode, expected):
    reader = ExperimentalVideo(
        filenames=twenty, sequence_length=6, pad_mode=mode, fill_value=[0, 100, 255], enable_frame_num="sequence"
    )
    *_, (frames, numbers) = reader.next_epoch()
    assert rows(numbers) == [expected]
    for frame, number in zip(frames.sample(0), expected, strict=True):
        if number < 0:
            assert (frame == [0, 100, 255]).all()
    assert [n for n in shown(frames)[0] if n < 20][:2] == [18, 19]


def test_frames_spread_evenly_over_each_clip(tree):
    with pytest.warns(UserWarning, match="with uniform_sample, step, stride and pad_mode have no effect"):
        ExperimentalVideo(file_root=tree, sequence_length=4, uniform_sample=True, stride=3)
    for length, expected in (
        (4, [[0, 6, 13, 19], [0, 2, 4, 6], [0, 1, 3, 4], [0, 4, 8, 12]]),
        (1, [[0], [0], [0], [0]]),
    ):
        assert epoch_of(ExperimentalVideo(file_root=tree, sequence_length=length, uniform_sample=True)) == expected
    longer = epoch_of(ExperimentalVideo(file_root=tree, sequence_length=9, uniform_sample=True))
    assert longer[1:3] == [[0, 1, 2, 2, 3, 4, 5, 5, 6], [0, 1, 1, 2, 2, 3, 3, 4, 4]]


def test_floats_are_the_same_values(twenty):
    given = {"filenames": twenty, "sequence_length": 2}
    bytes_, floats, normalized = (
        next(Video(**given, **more).next_epoch())[0].sample(0)
        for more in ({}, {"dtype": types.FLOAT}, {"dtype": types.FLOAT, "normalized": True})
    )
    assert floats.dtype == normalized.dtype == np.float32
    np.testing.assert_array_equal(floats, bytes_)
    np.testing.assert_allclose(normalized, bytes_ / 255, rtol=1e-6)


def test_luma_and_chroma(twenty):
    (frames,) = next(Video(filenames=twenty, sequence_length=2, image_type=types.YCbCr).next_epoch())
    (plain,) = next(Video(filenames=twenty, sequence_length=2).next_epoch())
    converted = ndd.color_space_conversion(
        ndd.tensor(plain.sample(0), layout="FHWC"), image_type=types.RGB, output_type=types.YCbCr
    )
    assert np.abs(frames.sample(0).astype(int) - np.asarray(converted)).mean() < 1


def test_a_few_frames_of_a_long_video_do_not_take_all_of_it(tmp_path, monkeypatch):
    path = write_clip(tmp_path / "a-h264.mp4", 120, gop=10)
    made = []
    plain = Track.frames

    def counted(track: Track, *first: Any) -> Iterator[Any]:
        for frame in plain(track, *first):
            made.append(frame)
            yield frame

    monkeypatch.setattr(Track, "frames", counted)
    reader = Video(filenames=path, sequence_length=4, step=1, random_shuffle=True, seed=1)
    (frames,) = next(reader.next_epoch(batch_size=2))
    assert len(shown(frames)) == 2
    assert 8 <= len(made) <= 2 * 2 * (10 + 4)  # from key frames on; of this batch, and of the one read ahead


def test_overlapping_sequences_of_a_batch_share_their_frames(twenty, monkeypatch):
    read = []
    plain = VideoFile.read

    def counted(video: VideoFile, wanted: list[int], *to: Any) -> Any:
        read.extend(wanted if video.name == twenty else [])
        return plain(video, wanted, *to)

    monkeypatch.setattr(VideoFile, "read", counted)
    (frames,) = next(ExperimentalVideo(filenames=twenty, sequence_length=8, step=4).next_epoch(batch_size=4))
    assert shown(frames) == consecutive(20, 8, 4)
    assert read[:20] == list(range(20))  # and perhaps some of the batch after it


def test_ndd_hands_out_batches_and_tensors(twenty):
    (frames,) = next(ndd.readers.Video(filenames=[Path(twenty)], sequence_length=5).next_epoch(batch_size=2))
    assert isinstance(frames, ndd.Batch)
    assert (frames.layout, frames.dtype, frames.shape) == ("FHWC", ndd.uint8, [(5, 48, 64, 3)] * 2)
    tensor = ndd.experimental.readers.Video(filenames=twenty, sequence_length=5)()
    assert isinstance(tensor, ndd.Tensor)
    with pytest.raises(AttributeError, match="it has Fits and Video"):
        _ = ndd.experimental.readers.Film


def test_a_file_whose_header_lies_about_the_size_is_refused(twenty, monkeypatch):
    reader = Video(filenames=twenty, sequence_length=4)
    assert reader.get_metadata()["epoch_size"] == 5
    reader._source._clips.sizes[0] = (48, 66)
    fails(reader, "frame 0 is 64x48, the file says that frames are 66x48")


def test_samples_by_number_and_none(twenty):
    reader = ndd.readers.Video(filenames=twenty, sequence_length=5)
    (frames,) = reader.read([3, 0])
    assert [numbers_in(np.asarray(sample))[0] for sample in frames] == [15, 0]
    assert reader.read([])[0].batch_size == 0


def test_metadata_counts_sequences(tree):
    assert Video(file_root=tree, sequence_length=5, num_shards=2).get_metadata()["epoch_size"] == 8
