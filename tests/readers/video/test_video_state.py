"""Readers of sequences resume, keep few files open, and live through a fork."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pytest

from ended_workers import ending_lookaheads
from penstock.readers.video import decoder_pool
from penstock.readers.video.decoder_pool import DecoderPool
from penstock.readers.video.sequence import Sequence
from penstock.readers.video.video import ExperimentalVideo, Video
from penstock.video import VideoFile
from readers.promises import check_resume
from readers.videos import epoch_of, shown, write_clip, write_frames

ORDERS: list[dict[str, Any]] = [
    {},
    {"random_shuffle": True, "initial_fill": 3},
    {"shard_id": 1, "num_shards": 2},
    {"random_shuffle": True, "shard_id": 1, "num_shards": 2, "pad_last_batch": True, "stick_to_shard": True},
]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("clips")
    return [write_clip(folder / f"{count}-vp9.webm", count, size=(16, 16), gop=4) for count in (9, 5)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("reader", "more"), [(Video, {"pad_sequences": True}), (ExperimentalVideo, {"pad_mode": "reflect"})]
)
def test_readers_of_videos_resume_at_every_step(two, reader, more, order):
    arguments = {"filenames": two, "labels": [0, 1], "sequence_length": 2, "enable_frame_num": "sequence"} | more
    check_resume(lambda: reader(enable_checkpointing=True, **arguments, **order), batch_size=3)


@pytest.mark.parametrize("order", ORDERS)
def test_readers_of_frames_resume_at_every_step(tmp_path, order):
    root = write_frames(tmp_path, {"a": 5, "b": 4})
    check_resume(lambda: Sequence(file_root=root, sequence_length=2, enable_checkpointing=True, **order), batch_size=3)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[VideoFile]]:
    """The files that are opened from now on to decode them.

    Readers have ended before `monkeypatch` undoes what it did: where a method of a class is replaced while its last
    reference is dropped, CPython 3.11 may call the freed one in another thread.
    """
    seen: list[VideoFile] = []
    plain = DecoderPool._open

    def open_one(self: DecoderPool, file: int, threads: int) -> VideoFile:
        seen.append(plain(self, file, threads))
        return seen[-1]

    monkeypatch.setattr(DecoderPool, "_open", open_one)
    with ending_lookaheads():
        yield seen


def test_a_file_stays_open_from_sequence_to_sequence(two, opened):
    assert len(epoch_of(Video(filenames=two[0], sequence_length=2))) == 4
    assert len(opened) == 1


def test_only_so_many_files_stay_open(tmp_path, opened, monkeypatch):
    monkeypatch.setattr(decoder_pool, "_OPEN_VIDEOS", 2)
    closed = []
    plain = VideoFile.close
    monkeypatch.setattr(VideoFile, "close", lambda video: closed.append(video) or plain(video))
    paths = [write_clip(tmp_path / f"{name}-vp9.webm", 2, size=(16, 16)) for name in "abcdef"]
    reader = Video(filenames=paths, sequence_length=2)
    assert len(epoch_of(reader)) == 6
    assert len(opened) >= 6
    assert len([video for video in opened if video not in closed]) <= 2 + 1


def test_videos_and_lists_may_be_at_urls(two):
    system = fsspec.filesystem("memory")
    for number, path in enumerate(two):
        system.pipe(f"/clips/{number}/a.webm", Path(path).read_bytes())
    system.pipe("/clips/list.txt", b"memory://clips/1/a.webm 4 1 3\n")
    expected = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3]]
    assert epoch_of(Video(file_root="memory://clips", sequence_length=4)) == expected
    listed = Video(file_list="memory://clips/list.txt", file_list_frame_num=True, sequence_length=2)
    assert epoch_of(listed) == [[1, 2]]
    system.pipe("/clips/2/b.webm", b"junk")
    with pytest.raises(RuntimeError, match=r"clips/2/b\.webm"):
        next(Video(file_root="memory://clips", sequence_length=4).next_epoch())


def test_packets_are_looked_at_once(two, opened, monkeypatch):
    looks = []
    from penstock.video import file

    plain = file.read_index
    monkeypatch.setattr(file, "read_index", lambda track: looks.append(track) or plain(track))
    epoch_of(Video(filenames=two, sequence_length=2, random_shuffle=True))
    assert len(looks) == len(two)
    assert len(opened) == 2


def test_without_room_for_indices_files_are_looked_at_again(two, monkeypatch):
    monkeypatch.setattr(decoder_pool, "_KEPT_INDEX_BYTES", 0)
    assert epoch_of(Video(filenames=two, sequence_length=4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3]]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:os.fork")  # JAX warns, if a test before this one has imported it
def test_a_forked_child_goes_on_with_decoders_of_its_own(two):
    reader = Video(filenames=two[0], sequence_length=2, prefetch_queue_depth=1)
    epoch = reader.next_epoch()
    assert shown(next(epoch)[0]) == [[0, 1]]
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, bytes(np.concatenate(shown(next(epoch)[0])).astype(np.uint8)))
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as pipe:
        assert list(pipe.read()) == [2, 3]
    assert [shown(frames)[0] for (frames,) in epoch] == [[2, 3], [4, 5], [6, 7]]
