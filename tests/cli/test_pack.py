"""penstock pack."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import tfrecord as tfrec
from penstock.cli import main
from penstock.cli.packing.sample_keys import sample_keys

SIZES = [(90, 120), (200, 100), (64, 64), (130, 40), (33, 257), (100, 100), (64, 80), (300, 200), (50, 64), (70, 70)]
FORMATS = ["webdataset", "tfrecord", "parquet"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three classes of JPEGs, and among them a PNG, a grey image, and names with dots or the same stem."""
    root = tmp_path_factory.mktemp("pack") / "train"
    rng = np.random.default_rng(3)
    for number, (height, width) in enumerate(SIZES):
        name = ["birds/a.b.jpg", "birds/same.jpg", "birds/same.png", "cats/grey.jpg"][number : number + 1]
        path = root / (name[0] if name else f"{['cats', 'dogs'][number % 2]}/{number}.jpg")
        path.parent.mkdir(parents=True, exist_ok=True)
        coarse = rng.integers(0, 255, (5, 5) if "grey" in path.name else (5, 5, 3), np.uint8)
        cv2.imwrite(str(path), cv2.resize(coarse, (width, height)))
    return root


def pack(folder: Path, out: Path, *options: str) -> int:
    return main(["pack", str(folder), str(out), "--threads", "2", *options])


def reader_of(out: Path, form: str) -> Any:
    if form == "parquet":
        return ndd.readers.Parquet(path=out)
    index = sorted(out.glob("*.idx"))
    if form == "webdataset":
        return ndd.readers.Webdataset(
            paths=sorted(out.glob("*.tar")), index_paths=index, ext=["jpg", "label"], dtypes=[ndd.uint8, ndd.int32]
        )
    features = {
        "image/encoded": tfrec.FixedLenFeature([], tfrec.string, ""),
        "image/class/label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
    }
    return ndd.readers.TFRecord(path=sorted(out.glob("*.tfrecord")), index_path=index, features=features)


def read_back(out: Path, form: str) -> tuple[list[np.ndarray], list[int]]:
    images, labels = [], []
    for batch in reader_of(out, form).next_epoch(batch_size=4, last_batch="partial"):
        files, numbers = batch.values() if isinstance(batch, dict) else batch
        images += [np.asarray(image) for image in ndd.decoders.image(files)]
        labels += [int(np.asarray(number).reshape(())) for number in numbers]
    return images, labels


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize("form", FORMATS)
def test_readers_find_all_samples_in_order_with_their_labels(folder: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    assert pack(folder, out, "--format", form, "--max-size", "96", "--shards", "3") == 0
    images, labels = read_back(out, form)
    expected = []
    for (files, label), made in zip(ndd.readers.File(file_root=folder).next_epoch(), images, strict=True):
        image = ndd.decoders.image(files)
        if max(image.shape[:2]) > 96:
            image = ndd.resize(image, resize_longer=96)
        assert made.shape == image.shape
        assert np.abs(made.astype(int) - np.asarray(image)).mean() < 8  # tiny, so much of it is subsampled colours
        expected.append(int(np.asarray(label)[0]))
    assert labels == expected
    told = json.loads((out / "dataset.json").read_text())
    assert told["classes"] == ["birds", "cats", "dogs"]
    assert [shard["samples"] for shard in told["shards"]] == [3, 3, 4]
    assert told["shards"][0]["name"].startswith("train-000000.")


@pytest.mark.parametrize("form", FORMATS)
def test_checksums_are_those_of_the_files(folder: Path, tmp_path: Path, form: str) -> None:
    assert pack(folder, tmp_path / "out", "--format", form, "--shard-size", "4K") == 0
    sums = dict(line.split("  ")[::-1] for line in (tmp_path / "out" / "SHA256SUMS").read_text().splitlines())
    files = contents(tmp_path / "out")
    assert {*files} - {*sums} == {"SHA256SUMS", "dataset.json", "pack.jsonl"}
    assert len([name for name in sums if not name.endswith(".idx")]) > 2
    for name, told in sums.items():
        assert hashlib.sha256(files[name]).hexdigest() == told


KILLED = """
import os, signal, sys
from penstock.cli import main
from penstock.cli.packing.image_packer import ImagePacker
whole, made = ImagePacker.pack, 0
def pack(self, path):
    global made
    made += 1
    if made > {count}:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(self, path)
ImagePacker.pack = pack
main(sys.argv[1:])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills a process")
@pytest.mark.parametrize("form", FORMATS)
def test_a_run_that_was_killed_goes_on_to_the_same_bytes(folder: Path, tmp_path: Path, form: str) -> None:
    options = ["--format", form, "--max-size", "96", "--shards", "4"]
    assert pack(folder, tmp_path / "whole", *options) == 0
    killed = ["pack", str(folder), str(tmp_path / "killed"), "--threads", "1", *options]
    # The image after the eighth is begun only when the first is taken: with one thread eight are ahead.
    ended = subprocess.run([sys.executable, "-c", KILLED.format(count=9), *killed], check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    before = contents(tmp_path / "killed")
    assert "dataset.json" not in before
    assert pack(folder, tmp_path / "killed", *options) == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_only_what_is_missing_is_packed_again(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, options = tmp_path / "out", ["--shards", "5"]
    assert pack(folder, out, *options) == 0
    expected = contents(out)
    lines = (out / "pack.jsonl").read_bytes().splitlines(keepends=True)
    (out / "pack.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:20])  # killed while the third was noted
    kept = (out / "train-000000.tar").stat().st_mtime_ns
    assert pack(folder, out, *options) == 0
    assert "4 of 10 files are packed already" in capsys.readouterr().err
    assert (out / "train-000000.tar").stat().st_mtime_ns == kept
    assert contents(out) == expected


@pytest.fixture
def own_folder(folder: Path, tmp_path: Path) -> Path:
    """The same files, to be changed."""
    for path in folder.rglob("*.*"):
        target = tmp_path / "train" / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return tmp_path / "train"


def test_bad_files_are_named_and_refused_or_left_out(
    own_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = own_folder / "cats" / "4.jpg"
    bad.write_bytes(bad.read_bytes()[:-200])
    (own_folder / "dogs" / "none.jpg").touch()
    out = tmp_path / "out"
    assert pack(own_folder, out, "--shards", "3") == 1
    error = capsys.readouterr().err
    assert str(bad) in error
    assert "ends early" in error
    assert "--on-error skip" in error
    assert pack(own_folder, out, "--shards", "3", "--on-error", "skip") == 0  # goes on with the first shard
    assert "cats/4.jpg: the JPEG ends early" in capsys.readouterr().out
    images, labels = read_back(out, "webdataset")
    assert len(images) == len(SIZES) - 1
    assert labels == sorted(labels)
    assert [*json.loads((out / "dataset.json").read_text())["skipped"]] == ["cats/4.jpg", "dogs/none.jpg"]


def test_a_shard_without_a_good_file_is_not_written(own_folder: Path, tmp_path: Path) -> None:
    for path in (own_folder / "birds").iterdir():
        path.write_bytes(b"")
    assert pack(own_folder, tmp_path / "out", "--shards", "10", "--on-error", "skip") == 0
    assert min(tmp_path.glob("out/*.tar")).name == "train-000003.tar"
    assert read_back(tmp_path / "out", "webdataset")[1] == [1] * 4 + [2] * 3


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (["--quality", "50"], "quality was 90, and is 50"),
        (["--format", "parquet"], "format was 'webdataset', and is 'parquet'"),
        (["--max-size", "32"], "max_size was None, and is 32"),
    ],
)
def test_other_options_are_not_mixed_with_what_is_there(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: list[str], why: str
) -> None:
    assert pack(folder, tmp_path / "out") == 0
    assert pack(folder, tmp_path / "out", *change) == 1
    assert why in capsys.readouterr().err
    assert pack(folder, tmp_path / "out", *change, "--afresh") == 0
    assert pack(folder, tmp_path / "new", *change) == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "new")


def test_files_that_changed_since_are_noticed(
    own_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert pack(own_folder, out) == 0
    changed = own_folder / "dogs" / "5.jpg"
    changed.write_bytes(changed.read_bytes() + b"\0")
    assert pack(own_folder, out) == 1
    assert "have changed since they were packed into train-000000.tar" in capsys.readouterr().err
    (own_folder / "dogs" / "new.jpg").write_bytes(changed.read_bytes())
    assert pack(own_folder, out) == 1
    assert "the files of the folder, or their labels, are others now" in capsys.readouterr().err


@pytest.mark.parametrize("form", FORMATS)
def test_a_flat_folder_has_no_labels(folder: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    assert pack(folder / "dogs", out, "--format", form) == 0
    assert json.loads((out / "dataset.json").read_text())["classes"] == []
    if form == "webdataset":
        reader = ndd.readers.Webdataset(paths=out / "dogs-000000.tar", ext="jpg")
        assert reader.get_metadata()["epoch_size"] == len([*(folder / "dogs").iterdir()])
    elif form == "parquet":
        assert [*next(iter(ndd.readers.Parquet(path=out).next_epoch(batch_size=1)))] == ["image"]


def test_sound_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sounds" / "dog").mkdir(parents=True)
    (tmp_path / "sounds" / "dog" / "bark.wav").touch()
    assert pack(tmp_path / "sounds", tmp_path / "out") == 1
    assert "dog/bark.wav is sound, and penstock pack packs images only" in capsys.readouterr().err


def test_foreign_files_are_left_alone(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert pack(folder, tmp_path) == 1
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_hugging_face_knows_images_and_classes(folder: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    assert pack(folder, tmp_path / "out", "--format", "parquet") == 0
    [file] = (tmp_path / "out").glob("*.parquet")
    features = json.loads(pq.read_schema(file).metadata[b"huggingface"])["info"]["features"]
    assert features == {
        "image": {"_type": "Image"},
        "label": {"names": ["birds", "cats", "dogs"], "_type": "ClassLabel"},
    }


def test_keys_have_no_dots_and_are_there_once() -> None:
    names = ["v1.2/a.b.jpg", "v1.2/a_b.png", "flat.jpg"]
    assert [*sample_keys(names)] == ["v1.2/a_b", "v1.2/a_b_1", "flat"]


def test_a_folder_inside_of_the_images_is_refused(own_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pack(own_folder, own_folder / "packed") == 1
    assert "is inside of" in capsys.readouterr().err
    assert not (own_folder / "packed").exists()


def test_with_more_room_a_run_goes_on(folder: Path, tmp_path: Path) -> None:
    """A limit on the size of files is as a full disk is."""
    script = "import sys, resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)); "
    script += "from penstock.cli import main; sys.exit(main(sys.argv[1:]))"
    out = tmp_path / "out"
    command = [sys.executable, "-c", script, "pack", str(folder), str(out), "--shards", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"penstock pack: {out}: " in done.stderr
    assert "with more room the same command goes on" in done.stderr
    assert pack(folder, out, "--shards", "1") == 0
    assert pack(folder, tmp_path / "at once", "--shards", "1") == 0
    assert contents(out) == contents(tmp_path / "at once")


@pytest.mark.parametrize("options", [["--quality", "101"], ["--shard-size", "4T"], ["--shards", "0"]])
def test_wrong_options_are_refused(folder: Path, tmp_path: Path, options: list[str]) -> None:
    with pytest.raises(SystemExit):
        pack(folder, tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()
