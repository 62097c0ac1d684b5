"""Files that are no videos, or damaged ones: the error names them, and the reader stays usable."""

from __future__ import annotations

import os
import shutil
import traceback
from pathlib import Path

import pytest

import penstock.types as types
from penstock.readers.video import probe
from penstock.readers.video.video import ExperimentalVideo, Video
from readers.videos import epoch_of, fails, rows, shown, write_clip
from video.clips import sound_only

READERS = (Video, ExperimentalVideo)
BAD = {
    "empty.mp4": b"",
    "text.mp4": b"this is a text, whatever its name says\n" * 20,
    "sound.mp4": sound_only(),
}


@pytest.mark.parametrize(("name", "data"), BAD.items())
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_video_is_refused_by_name(tmp_path, reader, name, data):
    (tmp_path / name).write_bytes(data)
    fails(reader(filenames=[tmp_path / name], sequence_length=2), name)


@pytest.mark.parametrize("reader", READERS)
def test_a_video_cut_off_before_its_table_of_frames_is_refused(tmp_path, reader):
    whole = write_clip(tmp_path / "a-h264.mp4", 20)
    cut = tmp_path / "cut-h264.mp4"
    cut.write_bytes(Path(whole).read_bytes()[:1000])
    fails(reader(filenames=[whole, cut], sequence_length=2), "cut-h264.mp4 cannot be opened")


def test_the_extension_does_not_matter_for_a_file_that_is_named(tmp_path):
    path = shutil.move(write_clip(tmp_path / "a-vp9.webm", 4), tmp_path / "a.avi")
    assert epoch_of(Video(filenames=path, sequence_length=4)) == [[0, 1, 2, 3]]


def test_all_bad_files_are_named_and_the_reader_works_when_they_are_gone(tmp_path):
    good = write_clip(tmp_path / "class" / "z-vp9.webm", 4)
    for number in range(7):
        (tmp_path / "class" / f"{number}.mp4").write_bytes(b"junk" * 50)
    reader = Video(file_root=tmp_path, sequence_length=4)
    for _ in range(2):
        fails(reader, r"0\.mp4 .*1\.mp4 .*4\.mp4 .*; and 2 more$")
    for number in range(7):
        os.remove(tmp_path / "class" / f"{number}.mp4")
    assert epoch_of(reader) == [[0, 1, 2, 3]]
    assert good.endswith("z-vp9.webm")


@pytest.mark.parametrize("batch_size", [1, 2])
def test_a_damaged_packet_ends_the_epoch_and_the_next_one_goes_on_behind_it(tmp_path, batch_size):
    path = tmp_path / "a-mjpeg.avi"
    data = bytearray(Path(write_clip(path, 12)).read_bytes())
    frames = [at for at in range(len(data)) if data[at : at + 3] == b"\xff\xd8\xff"]
    start = frames[5] + 2
    data[start : frames[6] - 16] = bytes(frames[6] - 16 - start)
    path.write_bytes(data)
    reader = Video(filenames=path, sequence_length=2)
    epoch = reader.next_epoch(batch_size=batch_size)
    with pytest.raises(RuntimeError, match=r"a-mjpeg\.avi: frame 5, at 0\.200 s, cannot be decoded"):
        list(epoch)
    assert list(epoch) == []
    assert shown(next(reader.next_epoch(batch_size=batch_size))[0])[0] == ([6, 7] if batch_size == 1 else [8, 9])


def test_on_error_leaves_out_files_that_are_no_videos_and_sequences_that_are_damaged(tmp_path):
    good = write_clip(tmp_path / "a-vp9.webm", 4)
    (tmp_path / "junk.mp4").write_bytes(b"junk")
    gone = write_clip(tmp_path / "b-vp9.webm", 4)
    reader = Video(filenames=[tmp_path / "junk.mp4", gone, good], labels=[], sequence_length=2, on_error="skip")
    with pytest.warns(UserWarning, match=r"left out: .*junk\.mp4 cannot be opened"):
        assert reader.get_metadata()["epoch_size"] == 4
    os.remove(gone)
    batches = list(reader.next_epoch(batch_size=4))
    assert shown(batches[0][0])[:2] == [[0, 1], [2, 3]]
    assert rows(batches[0][1])[:2] == [[2], [2]]
    assert {(bad.index, bad.source) for bad in reader.errors} == {(0, gone), (1, gone)}


def test_on_error_has_something_left_to_read(tmp_path):
    (tmp_path / "junk.mp4").write_bytes(b"junk")
    fails(Video(filenames=tmp_path / "junk.mp4", sequence_length=2, on_error="skip"), "junk.mp4 cannot be opened")


def test_a_video_that_vanishes_is_named_and_the_others_are_read(tmp_path):
    paths = [write_clip(tmp_path / f"{name}-vp9.webm", 4) for name in "ab"]
    reader = Video(filenames=paths, sequence_length=4)
    assert reader.get_metadata()["epoch_size"] == 2
    os.remove(paths[0])
    fails(reader, "a-vp9.webm")
    assert shown(next(reader.next_epoch(batch_size=1))[0]) == [[0, 1, 2, 3]]


def test_sequences_longer_than_every_video_leave_nothing(tmp_path):
    path = write_clip(tmp_path / "a-vp9.webm", 4)
    fails(Video(filenames=path, sequence_length=2, stride=3), "0: none of the 1 clips has the 6 frames of a sequence")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one of `file_list`, `file_root` and `filenames` .*, got none of them"),
        ({"filenames": ["a"], "file_root": "b"}, "got filenames and file_root"),
        ({"filenames": []}, "got none of them"),
        ({"filenames": ["a"], "labels": [1, 2]}, "Provided 1 files and 2 labels"),
        ({"file_root": "a", "labels": [1]}, "`labels` go with `filenames`"),
        ({"filenames": ["a"], "sequence_length": 0}, "`sequence_length` must be at least 1, got 0"),
        ({"filenames": ["a"], "stride": 0}, "`stride` must be at least 1, got 0"),
        ({"filenames": ["a"], "stride": -2}, "`stride` must be at least 1, got -2"),
        ({"filenames": ["a"], "image_type": types.GRAY}, "frames of videos are RGB or YCbCr, not GRAY"),
        ({"filenames": ["a"], "enable_frame_num": "all"}, "enable_frame_num: all"),
    ],
)
@pytest.mark.parametrize("reader", READERS)
def test_arguments_that_make_no_sense_fail_at_the_call(reader, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        reader(**{"sequence_length": 3, **arguments})


@pytest.mark.parametrize(
    ("reader", "arguments", "message"),
    [
        (Video, {"dtype": types.INT32}, "`dtype` of frames is uint8 or float32"),
        (Video, {"normalized": True}, "they need dtype=float32"),
        (Video, {"channels": 1}, "frames have 3 channels, got channels=1"),
        (ExperimentalVideo, {"pad_mode": "wrap"}, "pad_mode: wrap; choose from 'constant', 'edge'"),
        (ExperimentalVideo, {"fill_value": [1, 2]}, "`fill_value` is one value or three"),
        (ExperimentalVideo, {"fill_value": 300}, "from 0 to 255"),
        (ExperimentalVideo, {"file_list_format": "hours"}, "file_list_format: hours"),
        (ExperimentalVideo, {"file_list_rounding": "up"}, "file_list_rounding: up"),
    ],
)
def test_arguments_of_one_reader_fail_at_the_call(reader, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        reader(filenames="a", sequence_length=3, **arguments)


def test_missing_and_unknown_arguments():
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'sequence_length'"):
        Video(filenames="a")
    with pytest.raises(TypeError, match="unexpected keyword argument 'strid'; did you mean 'stride'"):
        Video(filenames="a", sequence_length=1, strid=2)
    with pytest.raises(TypeError, match="sequence_length"):
        Video(filenames="a", sequence_length=[1, 2])


def test_without_pyav_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = write_clip(tmp_path / "a-vp9.webm", 4)

    def missing() -> None:
        raise RuntimeError("decoding video needs PyAV: pip install penstock[video]")

    monkeypatch.setattr(probe, "pyav", missing)
    fails(Video(filenames=path, sequence_length=2), r"^decoding video needs PyAV: pip install penstock\[video\]$")


def test_the_traceback_is_short(tmp_path):
    (tmp_path / "a.mp4").write_bytes(b"junk")
    with pytest.raises(RuntimeError, match=r"a\.mp4") as caught:
        next(Video(filenames=tmp_path / "a.mp4", sequence_length=2).next_epoch())
    assert len(traceback.extract_tb(caught.tb)) < 12
