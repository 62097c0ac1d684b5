"""LMDBs of Caffe and Caffe2: samples like photos of 110 kB, and small ones of 1 kB."""

from __future__ import annotations

import random
from pathlib import Path

import lmdb

from reader_cases.records import field

PHOTOS, PHOTO_BYTES = 1_000, 110_000
SMALL, SMALL_BYTES = 20_000, 1_000

CASES = [
    (f"{reader}, {title}{words}", f"ndd.readers.{reader}(path=f'{{folder}}/{name}.{reader}'{order})", True)
    for reader in ("Caffe", "Caffe2")
    for title, name in (("photos", "photos"), ("small samples", "small"))
    for words, order in (("", ""), (", shuffled", ", random_shuffle=True"))
]


def write(folder: Path) -> None:
    numbers = random.Random(0)
    for name, count, size in (("photos", PHOTOS, PHOTO_BYTES), ("small", SMALL, SMALL_BYTES)):
        photos = [numbers.randbytes(size + i % 64) for i in range(count)]
        _write(folder / f"{name}.Caffe", [field(4, photo) + b"\x28\x07\x38\x01" for photo in photos])
        image, label = b"\x10\x04", b"\x10\x02" + field(4, b"\x07")
        _write(folder / f"{name}.Caffe2", [field(1, image + field(6, photo)) + field(1, label) for photo in photos])


def _write(path: Path, values: list[bytes]) -> None:
    with lmdb.open(str(path), map_size=1 << 30) as database, database.begin(write=True) as transaction:
        for number, value in enumerate(values):
            transaction.put(f"{number:08d}".encode(), value)
