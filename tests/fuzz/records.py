"""Files of records: TFRecord, RecordIO and LMDB, what is in the records, and indices."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from struct import unpack_from
from typing import Any

import penstock.tfrecord as tfrec
from fuzz.target import LIMIT, Target, of_file, read_some
from penstock.readers import Caffe, Caffe2, MXNet, TFRecord
from readers.lmdb_files import INT32, STRING, datum, tensor, tensors, write_lmdb
from readers.record_files import example, framed, packed_image, ten_examples, write_recordio, write_tfrecord

FEATURES = {
    "image": tfrec.FixedLenFeature((), tfrec.string, ""),
    "label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
    "boxes": tfrec.VarLenFeature([2], tfrec.float32, 0.0),
}
EXAMPLE = {"image": [b"some bytes"], "label": [3], "boxes": [0.5, 1.5, 2.5, 3.5]}


def made(write: Callable[[Path], Any]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return Path(write(Path(folder))).read_bytes()


def tfrecords() -> list[bytes]:
    return [b"".join(framed(example(EXAMPLE, packed)) for packed in (True, False)), *map(framed, ten_examples())]


def with_checksums(data: bytes) -> bytes:
    """A TFRecord file whose records all have the checksums of their contents."""
    fixed, at = b"", 0
    while at + 16 <= len(data):
        (length,) = unpack_from("<Q", data, at)
        length = min(length, len(data) - at - 16)
        fixed += framed(data[at + 12 : at + 12 + length])
        at += 16 + length
    return fixed + data[at:]


def recordio() -> list[bytes]:
    images = [packed_image(b"file", 1.0), packed_image(bytes(500), [1.0, 2.0, 3.0])]
    return [made(lambda folder: write_recordio(folder / "a.rec", images)[0])]


def lmdbs(*values: bytes) -> list[bytes]:
    """Large values have pages of their own, and many entries take branches."""
    several = ([*values], [values[0]] * 200)
    return [made(lambda folder, each=each: Path(write_lmdb(folder / "lmdb", each)) / "data.mdb") for each in several]


def read_lmdb(kind: type) -> Callable[[bytes, Path], None]:
    return of_file("data.mdb", lambda path: kind(path=path, max_bytes=LIMIT))


def read_index(data: bytes, folder: Path) -> None:
    """A damaged index of a good file, as text."""
    good = folder / "good.tfrecord"
    if not good.exists():
        write_tfrecord(good, [example(EXAMPLE)] * 3)
    (folder / "good.idx").write_bytes(data)
    read_some(TFRecord(path=good, index_path=folder / "good.idx", features=FEATURES, max_bytes=LIMIT))


def tfrecord_index() -> list[bytes]:
    return [made(lambda folder: write_tfrecord(folder / "a", [example(EXAMPLE)] * 3)[1])]


TARGETS = {
    "tfrecord": Target(
        tfrecords,
        of_file("a.tfrecord", lambda path: TFRecord(path=path, features=FEATURES, max_bytes=LIMIT)),
        repair=with_checksums,
    ),
    "tfrecord_index": Target(tfrecord_index, read_index),
    "recordio": Target(recordio, of_file("a.rec", lambda path: MXNet(path=path, max_bytes=LIMIT))),
    "caffe_lmdb": Target(lambda: lmdbs(datum(b"file", 3), datum(bytes(9000), 4)), read_lmdb(Caffe)),
    "caffe2_lmdb": Target(
        lambda: lmdbs(*(tensors(tensor(STRING, each), tensor(INT32, [3])) for each in (b"file", bytes(9000)))),
        read_lmdb(Caffe2),
    ),
}
