"""Files that are not in the page cache: what must come from the disk is read after the rest of a batch."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.storage import Names, Storage
from penstock.values.bad_samples import UnreadableError

pytestmark = pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="files cannot be dropped from the page cache")

COUNT = 300  # more files than are kept open


def drop_from_cache(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "one" / f"{number:03}.bin" for number in range(COUNT)]
    paths[0].parent.mkdir()
    for number, path in enumerate(paths):
        path.write_bytes(np.random.default_rng(number).bytes(number * 37))
    os.sync()
    return paths


@pytest.mark.parametrize("every", [1, 3])
def test_cold_files_are_read_whole(files: list[Path], tmp_path: Path, every: int) -> None:
    for path in files[::every]:
        drop_from_cache(path)
    reader = ndd.readers.File(file_root=tmp_path, file_filters=["*.bin"])
    [(read, _)] = reader.next_epoch(batch_size=COUNT)
    assert [np.asarray(each).tobytes() for each in read] == [path.read_bytes() for path in files]


def test_parts_of_a_cold_file_are_read(tmp_path: Path) -> None:
    contents = np.random.default_rng(1).bytes(2 << 20)
    path = tmp_path / "archive"
    path.write_bytes(contents)
    offsets = np.random.default_rng(2).integers(0, (2 << 20) - 5000, 200)
    lengths = np.random.default_rng(3).integers(0, 5000, 200)
    for storage in (Storage(), Storage(map_files=False)):
        drop_from_cache(path)
        read = storage.read_parts("", Names.of([str(path)]), np.zeros(200, np.int64), offsets, lengths)
        for number, (start, length) in enumerate(zip(offsets, lengths, strict=True)):
            assert read.sample(number).tobytes() == contents[start : start + length]


def test_missing_files_among_cold_ones_are_named(files: list[Path], tmp_path: Path) -> None:
    for path in files:
        drop_from_cache(path)
    files[7].unlink()
    names = Names.of([path.name for path in files])
    with pytest.raises(UnreadableError) as raised:
        Storage().read(str(files[0].parent), names, np.arange(COUNT))
    assert {*raised.value.failures} == {7}
