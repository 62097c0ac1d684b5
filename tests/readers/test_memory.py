"""What readers hold in memory: names packed, and no more batches than they read ahead."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import penstock.tfrecord as tfrec
from penstock._native import arena_use
from penstock.readers import File, MXNet, Reader, TFRecord, Webdataset, Zip
from readers.record_files import example, framed, packed_image, write_recordio, write_tfrecord
from readers.tars import write_tar

pytestmark = pytest.mark.memory

NAMES = 200_000
DEPTH = 2
# Prints by how many bytes the memory of the process has grown, and had at most, over the making of a reader.
GROWTH = """
import gc, sys
from penstock.readers import {kind}
from penstock.tfrecord import FixedLenFeature, int64

def status(key):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key + ":"))

def names():
    return (f"class_{{i % 10}}/photo_{{i:026d}}.jpg" for i in range({count}))

{kind}(**{warm}).get_metadata()
gc.collect()
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
reader = {kind}(**{arguments})
assert reader.get_metadata()["epoch_size"] == {count}
gc.collect()
print(status("VmRSS") - before, status("VmHWM") - before)
"""


def growth(count: int, warm: str, arguments: str, kind: str = "File") -> tuple[int, int]:
    script = GROWTH.format(count=count, warm=warm, arguments=arguments, kind=kind)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    kept, peak = map(int, done.stdout.split())
    return kept, peak


@pytest.mark.parametrize("kind", ["File", "Numpy"])
def test_a_list_file_takes_at_most_twice_its_names(tmp_path, kind):
    names = [f"class_{i % 10}/photo_{i:026d}.jpg" for i in range(NAMES)]
    for file, some in (("few.txt", names[:10]), ("all.txt", names)):
        (tmp_path / file).write_text("".join(f"{name} {i % 10}\n" for i, name in enumerate(some)))
    few, every = (repr({"file_list": str(tmp_path / file)}) for file in ("few.txt", "all.txt"))
    kept, peak = growth(NAMES, few, every, kind)
    assert kept <= peak < 2 * sum(map(len, names))


def test_records_take_little_more_than_their_offsets_and_lengths(tmp_path):
    record = framed(b"")
    for file, count in (("few", 10), ("all", NAMES)):
        (tmp_path / file).write_bytes(record * count)
    features = "{'x': FixedLenFeature([1], int64, 0)}"
    few, every = (f"{{'path': {str(tmp_path / file)!r}, 'features': {features}}}" for file in ("few", "all"))
    kept, peak = growth(NAMES, few, every, "TFRecord")
    assert kept < 1.5 * 16 * NAMES
    assert peak < 3 * 16 * NAMES


def test_names_that_are_given_are_packed_and_the_strings_let_go():
    kept, _ = growth(NAMES, "{'files': ['a']}", "{'files': list(names())}")
    assert kept < 2 * sum(len(f"class_0/photo_{i:026d}.jpg") for i in range(NAMES))


def test_folders_take_at_most_twice_the_names_in_them(tmp_path):
    count, stem = 20_000, "x" * 230
    files = tmp_path / "files"
    files.mkdir()
    for i in range(count // 20):
        (files / f"{stem}{i:06d}.jpg").touch()
    for folder, classes in (("few", 1), ("all", 20)):
        (tmp_path / folder).mkdir()
        for label in range(classes):
            (tmp_path / folder / f"{label}").symlink_to(files)
    few, every = (repr({"file_root": str(tmp_path / folder)}) for folder in ("few", "all"))
    kept, _ = growth(count, few, every)
    assert kept < 2 * count * len(f"0/{stem}000000.jpg")


def file_reader(folder: Path, photos: list[bytes]) -> Reader:
    for i, photo in enumerate(photos):
        (folder / f"{i:03d}.jpg").write_bytes(photo)
    return File(files=[f"{i:03d}.jpg" for i in range(len(photos))], file_root=folder, prefetch_queue_depth=DEPTH)


def tfrecord_reader(folder: Path, photos: list[bytes]) -> Reader:
    path, _ = write_tfrecord(folder / "photos.tfrecord", [example({"photo": [photo]}) for photo in photos])
    features = {"photo": tfrec.FixedLenFeature((), tfrec.string, "")}
    return TFRecord(path=path, features=features, prefetch_queue_depth=DEPTH)


def mxnet_reader(folder: Path, photos: list[bytes]) -> Reader:
    path, _ = write_recordio(folder / "photos.rec", [packed_image(photo, 1.0) for photo in photos])
    return MXNet(path=path, prefetch_queue_depth=DEPTH)


def webdataset_reader(folder: Path, photos: list[bytes]) -> Reader:
    path = write_tar(folder / "photos.tar", [(f"{i:03d}.jpg", photo) for i, photo in enumerate(photos)])
    return Webdataset(paths=path, ext="jpg", prefetch_queue_depth=DEPTH)


def zip_reader(folder: Path, photos: list[bytes]) -> Reader:
    with zipfile.ZipFile(folder / "photos.zip", "w") as archive:
        for i, photo in enumerate(photos):
            archive.writestr(f"class/{i:03d}.jpg", photo)
    return Zip(paths=folder / "photos.zip", prefetch_queue_depth=DEPTH)


@pytest.mark.parametrize("make", [file_reader, tfrecord_reader, mxnet_reader, webdataset_reader, zip_reader])
def test_no_more_batches_are_in_memory_than_are_read_ahead(tmp_path, make):
    photos = [bytes([i % 256]) * (20_000 + i) for i in range(100)]
    reader = make(tmp_path, photos)
    before, most = arena_use()[0], 0
    for _ in reader.next_epoch(batch_size=8):
        most = max(most, arena_use()[0] - before)
    # Those read ahead, the one in hand and the one before it; a quarter of a block may be waste.
    assert 8 * 20_000 < most < (DEPTH + 2) * 8 * 21_000 * 1.25
