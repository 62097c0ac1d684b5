"""penstock check of sounds, videos, arrays, and archives of them."""

from __future__ import annotations

import io
import json
import sys
import wave
import zipfile
from pathlib import Path

import numpy as np
import pytest

from penstock.cli import check, main
from penstock.cli.checking.reports import report_file
from readers.record_files import example, packed_image, write_recordio, write_tfrecord
from readers.tars import write_tar
from readers.videos import write_clip

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
PHOTO = sorted(ASSETS.glob("*/*.jpg"))[0].read_bytes()
OTHER = sorted(ASSETS.glob("*/*.jpg"))[1].read_bytes()
CUT = PHOTO[: len(PHOTO) // 2]


def sound(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(16000)
        wav.writeframes(values.astype("<i2").tobytes())
    return file.getvalue()


def array(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


TONE = sound(8000 * np.sin(np.arange(16000) / 20))


def checked(path: Path, tmp_path: Path) -> dict:
    """The report of a check of one folder or file."""
    main(["check", str(path), "--out", str(tmp_path / "out"), "--threads", "2"])
    return json.loads((tmp_path / "out/report.json").read_text())


def bad(found: dict) -> dict[str, str]:
    return {each["file"]: each["problem"] for each in found["bad"]}


def test_sounds(tmp_path: Path) -> None:
    folder = tmp_path / "sounds"
    folder.mkdir()
    (folder / "tone.wav").write_bytes(TONE)
    (folder / "cut.wav").write_bytes(TONE[:20000])
    (folder / "silent.wav").write_bytes(sound(np.zeros(8000)))
    (folder / "short.wav").write_bytes(sound(np.ones(100)))
    (folder / "page.flac").write_text("<html>404</html>")
    found = checked(folder, tmp_path)
    assert bad(found) == {"cut.wav": "truncated", "page.flac": "corrupt"}
    assert found["odd"] == {"silent": ["silent.wav"], "short": ["short.wav"]}
    assert found["formats"] == {"WAV": 4, "FLAC": 1}
    listed = (tmp_path / "out/good.txt").read_text().split()
    assert listed[::2] == ["short.wav", "silent.wav", "tone.wav"]
    assert "data:image/" in (tmp_path / "out/report.html").read_text()  # the curve of what is left of cut.wav


def test_videos(tmp_path: Path) -> None:
    pytest.importorskip("av")
    folder = tmp_path / "videos"
    whole = Path(write_clip(folder / "whole-h264.mp4", 12, rate=10, gop=4))
    (folder / "cut-h264.mp4").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    write_clip(folder / "mjpeg.avi", 5, rate=10, gop=4)
    found = checked(folder, tmp_path)
    assert bad(found).keys() == {"cut-h264.mp4"}
    report = report_file(str(whole))
    assert (report.problem, report.format, report.height > 0) == ("", "MP4", True)
    assert report.seconds == pytest.approx(1.1)


def test_without_pyav_videos_are_not_called_bad(tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"whatever")
    monkeypatch.setitem(sys.modules, "av", None)
    assert main(["check", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert "pip install penstock[video]" in capsys.readouterr().err
    assert not (tmp_path / "out/report.html").exists()


def test_arrays(tmp_path: Path) -> None:
    folder = tmp_path / "arrays"
    folder.mkdir()
    (folder / "whole.npy").write_bytes(array(np.arange(100.0)))
    (folder / "cut.npy").write_bytes(array(np.arange(100.0))[:400])
    (folder / "nan.npy").write_bytes(array(np.array([1.0, np.nan])))
    found = checked(folder, tmp_path)
    assert bad(found).keys() == {"cut.npy"}
    assert found["odd"] == {"not finite": ["nan.npy"]}


MEMBERS = [
    ("0001.jpg", PHOTO), ("0001.cls", b"7"), ("0002.jpg", CUT), ("0002.cls", b"12"), ("0003.wav", TONE),
    ("0003.cls", b"7"), ("0003.json", b"{}"),
]  # fmt: skip


def test_the_members_of_a_tar_archive(tmp_path: Path, capsys) -> None:
    write_tar(tmp_path / "train-0.tar", MEMBERS)
    found = checked(tmp_path / "train-0.tar", tmp_path)
    name = str(tmp_path / "train-0.tar")
    assert bad(found) == {f"{name}/0002.jpg": "truncated"}
    assert found["files"] == 3
    assert found["classes"] == {"7": 2, "12": 0}
    assert "ndd.readers.Webdataset(paths=" in capsys.readouterr().out
    assert (tmp_path / "out/good.txt").read_text() == ""
    assert (tmp_path / "out/bad.txt").read_text() == f"{name}/0002.jpg\n"


def test_a_tar_archive_that_is_cut_off_has_the_members_in_front_of_that(tmp_path: Path) -> None:
    write_tar(tmp_path / "whole.tar", [("1.jpg", PHOTO), ("2.jpg", OTHER)])
    whole = (tmp_path / "whole.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: len(PHOTO) + 4096])
    report = report_file(str(tmp_path / "cut.tar"))
    assert report.problem == "truncated"
    assert [member.path for member in report.members] == ["1.jpg"]
    assert bad(checked(tmp_path / "cut.tar", tmp_path)) == {str(tmp_path / "cut.tar"): "truncated"}


def test_the_members_of_a_zip_archive_and_duplicates_across_archives(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("cat/a.jpg", PHOTO)
            archive.writestr("dog/b.jpg", CUT if name == "two.zip" else OTHER)
            archive.writestr("notes.txt", "not to be decoded")
    found = checked(tmp_path, tmp_path)
    assert bad(found) == {"two.zip/dog/b.jpg": "truncated"}
    assert found["duplicates"] == [["one.zip/cat/a.jpg", "two.zip/cat/a.jpg"]]
    assert found["classes"] == {"cat": 2, "dog": 1}


def test_a_member_of_a_zip_archive_that_does_not_unpack_is_bad(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "one.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("cat/a.jpg", PHOTO)
        archive.writestr("cat/b.jpg", OTHER)
    damaged = bytearray((tmp_path / "one.zip").read_bytes())
    damaged[damaged.index(PHOTO) + 1000] ^= 1
    (tmp_path / "one.zip").write_bytes(damaged)
    report = report_file(str(tmp_path / "one.zip"))
    assert [(member.path, member.problem) for member in report.members] == [("cat/a.jpg", "corrupt"), ("cat/b.jpg", "")]
    (tmp_path / "none.zip").write_bytes(b"PK nothing")
    assert report_file(str(tmp_path / "none.zip")).problem == "truncated"


def test_the_images_of_record_files(tmp_path: Path) -> None:
    features = [{"image/encoded": [file], "image/class/label": [n]} for n, file in enumerate((PHOTO, CUT, OTHER))]
    write_tfrecord(tmp_path / "train.tfrecord", [example(each) for each in features])
    found = checked(tmp_path / "train.tfrecord", tmp_path)
    assert bad(found) == {f"{tmp_path}/train.tfrecord/1/image/encoded": "truncated"}
    assert found["classes"] == {"0": 1, "1": 0, "2": 1}
    write_tfrecord(tmp_path / "odd.tfrecord", [b"\xff\xff no example"])
    [member] = report_file(str(tmp_path / "odd.tfrecord")).members
    assert member.reason == "the record is no example"
    write_recordio(tmp_path / "train.rec", [packed_image(PHOTO, 3.0), packed_image(CUT, 1.0)])
    report = report_file(str(tmp_path / "train.rec"))
    assert [(member.problem, member.label) for member in report.members] == [("", "3"), ("truncated", "1")]


def test_archives_that_are_known_are_not_opened_again(tmp_path: Path, monkeypatch) -> None:
    write_tar(tmp_path / "train-0.tar", MEMBERS)
    first = checked(tmp_path / "train-0.tar", tmp_path)
    monkeypatch.setattr(check, "report_file", lambda path, **_: pytest.fail(path))
    assert checked(tmp_path / "train-0.tar", tmp_path) == first
