"""`max_bytes` of readers: a sample that would take more is unreadable, and `on_error` says what becomes of it."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pyarrow as pa
import pytest
import soundfile
from PIL import Image
from pyarrow import parquet

import penstock.dynamic as ndd
import penstock.tfrecord as tfrec
from penstock._native import arena_use
from penstock.readers import Reader, Zip
from penstock.storage import Storage
from readers.coco_files import annotation, image, write_coco
from readers.fits_files import hdu, write
from readers.lmdb_files import datum, write_lmdb
from readers.record_files import example, packed_image, write_recordio, write_tfrecord
from readers.tars import write_tar
from readers.videos import write_clip, write_list

LIMIT, SMALL, LARGE = 6000, 40, 9000  # bytes


def files(folder: Path, sizes: list[int]) -> Reader:
    paths = [folder / f"{n}.jpg" for n in range(len(sizes))]
    for path, size in zip(paths, sizes, strict=True):
        path.write_bytes(bytes(size))
    return ndd.readers.File(files=paths, max_bytes=LIMIT, on_error="skip")


def urls(folder: Path, sizes: list[int]) -> Reader:
    paths = [f"memory://limits/{n}.jpg" for n in range(len(sizes))]
    for path, size in zip(paths, sizes, strict=True):
        fsspec.filesystem("memory").pipe_file(path, bytes(size))
    return ndd.readers.File(files=paths, storage=Storage(max_bytes=LIMIT), on_error="skip")


def stored(folder: Path, sizes: list[int]) -> Reader:
    return zipped(folder, sizes, zipfile.ZIP_STORED)


def zipped(folder: Path, sizes: list[int], method: int = zipfile.ZIP_DEFLATED) -> Reader:
    with zipfile.ZipFile(folder / "of.zip", "w", method) as archive:
        for n, size in enumerate(sizes):
            archive.writestr(f"{n}.jpg", bytes(size))
    return ndd.readers.Zip(paths=folder / "of.zip", max_bytes=LIMIT, on_error="skip")


def tars(folder: Path, sizes: list[int]) -> Reader:
    archive = write_tar(folder / "of.tar", [(f"{n}.jpg", bytes(size)) for n, size in enumerate(sizes)])
    return ndd.readers.Webdataset(paths=archive, ext="jpg", max_bytes=LIMIT, on_error="skip")


def strings(folder: Path, sizes: list[int]) -> Reader:
    path, index = write_tfrecord(folder / "of.tfrecord", [example({"a": [bytes(size)]}) for size in sizes])
    wanted = {"a": tfrec.FixedLenFeature((), tfrec.string, "")}
    return ndd.readers.TFRecord(path=path, index_path=index, features=wanted, max_bytes=LIMIT, on_error="skip")


def numbers(folder: Path, sizes: list[int]) -> Reader:
    """A byte each in the file, eight in memory."""
    path, index = write_tfrecord(folder / "of.tfrecord", [example({"a": [1] * (size // 8)}) for size in sizes])
    wanted = {"a": tfrec.VarLenFeature(tfrec.int64, 0)}
    return ndd.readers.TFRecord(path=path, index_path=index, features=wanted, max_bytes=LIMIT, on_error="skip")


def recordio(folder: Path, sizes: list[int]) -> Reader:
    path, index = write_recordio(folder / "of.rec", [packed_image(bytes(size), 1.0) for size in sizes])
    return ndd.readers.MXNet(path=path, index_path=index, max_bytes=LIMIT, on_error="skip")


def datums(folder: Path, sizes: list[int]) -> Reader:
    path = write_lmdb(folder / "of_lmdb", [datum(bytes(size), 1) for size in sizes])
    return ndd.readers.Caffe(path=path, max_bytes=LIMIT, on_error="skip")


def arrays(folder: Path, sizes: list[int]) -> Reader:
    for n, size in enumerate(sizes):
        np.save(folder / f"{n}.npy", np.zeros(size, np.uint8))
    return ndd.readers.Numpy(file_root=folder, max_bytes=LIMIT, on_error="skip")


def plates(folder: Path, sizes: list[int]) -> Reader:
    for n, size in enumerate(sizes):
        write(folder / f"{n}.fits", hdu(first=True), hdu(np.zeros(size, np.uint8)))
    return ndd.experimental.readers.Fits(file_root=folder, max_bytes=LIMIT, on_error="skip")


def masks(folder: Path, sizes: list[int]) -> Reader:
    """The sizes are those in the annotations, whatever the images are."""
    images = [image(n, width=size // 4, height=1) for n, size in enumerate(sizes)]
    path = write_coco(folder, images, [annotation(n, shape=[[0, 0, 1, 0, 1, 1]]) for n in range(len(sizes))])
    wanted = {"file_root": folder, "annotations_file": path, "pixelwise_masks": True}
    return ndd.readers.COCO(**wanted, max_bytes=LIMIT, on_error="skip")


def sounds(folder: Path, sizes: list[int]) -> Reader:
    lines = []
    for n, size in enumerate(sizes):
        soundfile.write(folder / f"{n}.flac", np.zeros(size // 4, np.int16), 16000)
        lines.append(json.dumps({"audio_filepath": str(folder / f"{n}.flac"), "text": ""}))
    (folder / "manifest.json").write_text("\n".join(lines))
    return ndd.readers.NemoAsr(manifest_filepaths=folder / "manifest.json", max_bytes=LIMIT, on_error="skip")


def frames(folder: Path, sizes: list[int]) -> Reader:
    for n, size in enumerate(sizes):
        (folder / str(n)).mkdir()
        Image.new("RGB", (size // 6, 1)).save(folder / str(n) / "0.png")
    return ndd.readers.Sequence(file_root=folder, sequence_length=1, max_bytes=LIMIT, on_error="skip")


def tables(folder: Path, sizes: list[int]) -> Reader:
    """A row group for every row: what is read at once."""
    parquet.write_table(pa.table({"a": [bytes(size) for size in sizes]}), folder / "of.parquet", row_group_size=1)
    return ndd.readers.Parquet(path=folder / "of.parquet", max_bytes=LIMIT, on_error="skip")


def paired_tars(folder: Path, sizes: list[int]) -> Reader:
    """Two components of half the size each, as in all that follow."""
    files = [(f"{n}.{ext}", bytes(size // 2)) for n, size in enumerate(sizes) for ext in ("jpg", "txt")]
    archive = write_tar(folder / "of.tar", files)
    return ndd.readers.Webdataset(paths=archive, ext=["jpg", "txt"], max_bytes=LIMIT, on_error="skip")


def paired_numbers(folder: Path, sizes: list[int]) -> Reader:
    examples = [example({name: [1] * (size // 16) for name in "ab"}) for size in sizes]
    path, index = write_tfrecord(folder / "of.tfrecord", examples)
    wanted = {name: tfrec.VarLenFeature(tfrec.int64, 0) for name in "ab"}
    return ndd.readers.TFRecord(path=path, index_path=index, features=wanted, max_bytes=LIMIT, on_error="skip")


def paired_plates(folder: Path, sizes: list[int]) -> Reader:
    for n, size in enumerate(sizes):
        halves = [hdu(np.zeros(size // 2, np.uint8)) for _ in range(2)]
        write(folder / f"{n}.fits", hdu(first=True), *halves)
    wanted = {"hdu_indices": [2, 3], "max_bytes": LIMIT, "on_error": "skip"}
    return ndd.experimental.readers.Fits(file_root=folder, **wanted)


def image_and_mask(folder: Path, sizes: list[int]) -> Reader:
    images = [image(n, width=size // 8, height=1) for n, size in enumerate(sizes)]
    path = write_coco(folder, images, [annotation(n, shape=[[0, 0, 1, 0, 1, 1]]) for n in range(len(sizes))])
    for n, size in enumerate(sizes):
        (folder / images[n]["file_name"]).write_bytes(bytes(size // 2))
    wanted = {"file_root": folder, "annotations_file": path, "pixelwise_masks": True}
    return ndd.readers.COCO(**wanted, max_bytes=LIMIT, on_error="skip")


def frame_pairs(folder: Path, sizes: list[int]) -> Reader:
    for n, size in enumerate(sizes):
        (folder / str(n)).mkdir()
        for k in range(2):
            Image.new("RGB", (size // 12, 1)).save(folder / str(n) / f"{k}.png")
    return ndd.readers.Sequence(file_root=folder, sequence_length=2, max_bytes=LIMIT, on_error="skip")


READERS = [
    files,
    urls,
    stored,
    zipped,
    tars,
    strings,
    numbers,
    recordio,
    datums,
    arrays,
    plates,
    masks,
    sounds,
    frames,
    tables,
    paired_tars,
    paired_numbers,
    paired_plates,
    image_and_mask,
    frame_pairs,
]


@pytest.mark.parametrize("made", READERS)
def test_a_sample_beyond_the_limit_is_skipped(made: Callable[[Path, list[int]], Reader], tmp_path):
    reader: Any = made(tmp_path, [SMALL, LARGE, SMALL])
    assert sum(1 for _ in reader.next_epoch()) == 2
    ((index, why),) = {(bad.index, str(bad.error)) for bad in reader.errors}
    assert index == 1
    assert f" the limit of {LIMIT}; raise max_bytes" in why


def test_the_frames_of_a_sequence_are_counted_together(tmp_path):
    clip = write_clip(tmp_path / "of-mjpeg.avi", 8, size=(16, 16))
    listed = write_list(tmp_path, f"{clip} 0")
    for length, taken in ((3, 3 * 768), (8, 8 * 768)):
        wanted = {"file_list": listed, "sequence_length": length, "max_bytes": 3 * 768}
        reader = ndd.readers.Video(**wanted)
        if taken > 3 * 768:
            with pytest.raises(RuntimeError, match=f"a sequence of 8 frames would take {taken} bytes"):
                next(reader.next_epoch(batch_size=1))
        else:
            next(reader.next_epoch(batch_size=1))


def test_a_compressed_image_is_not_unpacked_beyond_the_limit(tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    packed = fits.CompImageHDU(np.zeros((500, 500), np.int16), compression_type="RICE_1")
    fits.HDUList([fits.PrimaryHDU(), packed]).writeto(tmp_path / "a.fits")
    assert (tmp_path / "a.fits").stat().st_size < 100_000
    wanted = {"files": [tmp_path / "a.fits"]}
    next(ndd.experimental.readers.Fits(**wanted, max_bytes=1_000_000).next_epoch(batch_size=1))
    with pytest.raises(RuntimeError, match="unpacking the image would take 1000000 bytes of memory"):
        next(ndd.experimental.readers.Fits(**wanted, max_bytes=999_999).next_epoch(batch_size=1))


def test_a_size_that_lies_is_found_out_while_unpacking(tmp_path):
    """A member that says it is huge takes what really comes; one that says it is small is cut off there."""
    for said in (1 << 30, 10):
        with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.jpg", bytes(5000))
        data = bytearray((tmp_path / "a.zip").read_bytes())
        at = data.index(b"PK\1\2") + 24
        data[at : at + 4] = struct.pack("<I", said)
        (tmp_path / "a.zip").write_bytes(data)
        before = sum(arena_use())
        with pytest.raises(RuntimeError, match=f"the member does not unpack to its {said} bytes"):
            next(Zip(paths=tmp_path / "a.zip").next_epoch(batch_size=1))
        assert sum(arena_use()) - before < 1 << 20


def test_a_bomb_in_an_archive_is_refused_by_default(tmp_path):
    with (
        zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.jpg", "w") as member,
    ):
        for _ in range(33):
            member.write(bytes(32 << 20))
    assert (tmp_path / "a.zip").stat().st_size < 3 << 20
    with pytest.raises(
        RuntimeError, match=r"unpacking the member would take \d+ bytes of memory, more than the limit of 2147"
    ):
        next(Zip(paths=tmp_path / "a.zip").next_epoch(batch_size=1))


def test_files_read_by_name_have_the_limit_too(tmp_path):
    (tmp_path / "a.png").write_bytes(bytes(100))
    with pytest.raises(RuntimeError, match="reading it would take 100 bytes of memory, more than the limit of 99"):
        ndd.imread(tmp_path / "a.png", max_bytes=99).evaluate()
    name = np.frombuffer(str(tmp_path / "a.png").encode(), np.uint8)
    assert ndd.io.file.read(name, max_bytes=100).shape == (100,)


def test_a_limit_is_a_positive_number():
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        ndd.readers.File(files=["a"], max_bytes=0)
