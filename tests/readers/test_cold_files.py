"""Files that are not in the page cache: what must come from the disk is fetched before it is read."""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock._native import trim_arena
from penstock.readers.core import disk_read_ahead
from penstock.storage import Names, Storage
from penstock.values.bad_samples import UnreadableError
from readers.record_files import packed_image, write_recordio

pytestmark = pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="files cannot be dropped from the page cache")

COUNT = 300
BATCH = 20


def drop_from_cache(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def require_dropped(path: Path) -> None:
    """Skips the test where files stay in memory, as those of a tmpfs do."""
    with open(path, "rb") as file:
        try:
            os.preadv(file.fileno(), [bytearray(1)], path.stat().st_size - 1, os.RWF_NOWAIT)
        except BlockingIOError:
            return
        except OSError as error:
            pytest.skip(f"the file system cannot read without waiting: {error}")
    pytest.skip("the file system does not drop pages")


class Expectations(Storage):
    """Notes which files are expected, and from which offsets on."""

    def expect(self, root: str, names: Names, which: Any, *place: Any) -> None:
        self.__dict__.setdefault("expected", []).extend(which.tolist())
        self.__dict__.setdefault("offsets", []).append(place[0] if place else None)
        super().expect(root, names, which, *place)


def bytes_in_memory(path: Path) -> int:
    """How much of a file is in the page cache; unlike a read, to ask for it fetches nothing."""
    size, pages = path.stat().st_size, (path.stat().st_size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), size) as mapping:
        place = (ctypes.c_char * size).from_buffer(mapping)
        seen = (ctypes.c_ubyte * pages)()
        failed = ctypes.CDLL(None).mincore(ctypes.c_void_p(ctypes.addressof(place)), ctypes.c_size_t(size), seen)
        del place
    assert not failed
    return sum(each & 1 for each in seen) * mmap.PAGESIZE


def shuffled_records(folder: Path, count: int, size: int, **options: Any) -> tuple[ndd.readers.MXNet, list[bytes]]:
    """A reader of records in random order, and what is in them."""
    images = [np.random.default_rng(number).bytes(size) for number in range(count)]
    data, index = write_recordio(folder / "images.rec", [packed_image(image, 1.0) for image in images])
    return ndd.readers.MXNet(path=data, index_path=index, random_shuffle=True, seed=7, **options), images


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


@pytest.mark.parametrize("count", [3, 40])
def test_parts_of_a_cold_file_are_read_from_its_mapping(tmp_path: Path, count: int) -> None:
    contents = np.random.default_rng(1).bytes(8 << 20)
    path = tmp_path / "archive"
    path.write_bytes(contents)
    offsets = np.random.default_rng(2).integers(0, (8 << 20) - 200_000, count)
    lengths = np.random.default_rng(3).integers(0, 200_000, count)
    storage = Storage()
    for _ in range(4):
        drop_from_cache(path)
        read = storage.read_parts("", Names.of([str(path)]), np.zeros(count, np.int64), offsets, lengths)
        for number, (start, length) in enumerate(zip(offsets, lengths, strict=True)):
            assert read.sample(number).tobytes() == contents[start : start + length]


def test_what_is_expected_is_fetched_from_the_disk(files: list[Path]) -> None:
    for path in files:
        drop_from_cache(path)
    require_dropped(files[-1])
    storage, names = Storage(), Names.of([path.name for path in files])
    folder, last = str(files[0].parent), np.arange(COUNT - 10, COUNT)
    storage.expect(folder, names, last)
    assert storage.from_disk
    read = storage.read(folder, names, last)
    assert [read.sample(at).tobytes() for at in range(10)] == [path.read_bytes() for path in files[-10:]]
    storage.expect(folder, names, last)
    assert not storage.from_disk


@pytest.mark.parametrize(("first", "spacing", "from_disk"), [(0, 1, False), (64, 1, False), (0, 20, True)])
def test_only_what_is_scattered_in_a_file_is_asked_for(
    tmp_path: Path, first: int, spacing: int, from_disk: bool
) -> None:
    path = tmp_path / "archive"
    path.write_bytes(bytes(8 << 20))
    drop_from_cache(path)
    require_dropped(path)
    storage, lengths = Storage(), np.full(16, 20_000)
    offsets = (first + spacing * np.arange(16)) * 20_000
    storage.expect("", Names.of([str(path)]), np.zeros(16, np.int64), offsets, lengths)
    assert storage.from_disk is from_disk  # the system itself reads ahead in a stretch


def test_files_that_are_expected_do_not_stay_open(files: list[Path]) -> None:
    storage, names = Storage(), Names.of([path.name for path in files])
    before = len(os.listdir("/dev/fd"))
    storage.expect(str(files[0].parent), names, np.arange(COUNT))
    assert len(os.listdir("/dev/fd")) == before


def test_files_that_cannot_be_opened_are_expected_in_silence(files: list[Path]) -> None:
    files[7].unlink()
    storage, names = Storage(), Names.of([path.name for path in files])
    storage.expect(str(files[0].parent), names, np.arange(COUNT))
    with pytest.raises(UnreadableError) as raised:
        storage.read(str(files[0].parent), names, np.arange(COUNT))
    assert {*raised.value.failures} == {7}


def test_the_next_batch_of_cold_files_is_fetched_while_one_is_read(files: list[Path], tmp_path: Path) -> None:
    for path in files:
        drop_from_cache(path)
    require_dropped(files[-1])
    storage = Expectations()
    reader = ndd.readers.File(file_root=tmp_path, file_filters=["*.bin"], storage=storage)
    read = [np.asarray(each).tobytes() for batch, _ in reader.next_epoch(batch_size=BATCH) for each in batch]
    assert read == [path.read_bytes() for path in files]
    assert vars(storage)["expected"] == list(range(COUNT))


def test_no_more_is_expected_of_files_in_memory_than_the_first_batches(files: list[Path], tmp_path: Path) -> None:
    for path in files:
        path.read_bytes()
    storage = Expectations()
    reader = ndd.readers.File(file_root=tmp_path, file_filters=["*.bin"], storage=storage)
    assert sum(len(batch) for batch, _ in reader.next_epoch(batch_size=BATCH)) == COUNT
    assert vars(storage)["expected"] == list(range(2 * BATCH))


def test_missing_files_among_cold_ones_are_named(files: list[Path], tmp_path: Path) -> None:
    for path in files:
        drop_from_cache(path)
    files[7].unlink()
    names = Names.of([path.name for path in files])
    with pytest.raises(UnreadableError) as raised:
        Storage().read(str(files[0].parent), names, np.arange(COUNT))
    assert {*raised.value.failures} == {7}


def test_a_long_stretch_that_is_expected_is_fetched_from_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(np.random.default_rng(1).bytes(48 << 20))
    drop_from_cache(path)
    require_dropped(path)
    storage, count = Storage(), 300
    lengths = np.full(count, 100_000)
    offsets = (6 << 20) + np.arange(count) * 120_000
    expected = "", Names.of([str(path)]), np.zeros(count, np.int64), offsets, lengths
    storage.expect(*expected)
    assert storage.from_disk
    until = time.monotonic() + 60
    while bytes_in_memory(path) < 30 << 20 and time.monotonic() < until:
        storage.expect(*expected)  # where the machine is busy, the first call has not come to the end in its time
    assert bytes_in_memory(path) >= 30 << 20


def test_no_more_of_a_long_stretch_is_fetched_than_is_affordable(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    with open(path, "wb") as file:
        file.truncate(1 << 30)  # nothing of it is written: to fetch it takes no time
    storage = Storage()
    storage.expect("", Names.of([str(path)]), np.array([0]), np.array([0]), np.array([1 << 30]))
    assert bytes_in_memory(path) < 512 << 20


def test_the_stretch_that_shuffled_records_are_picked_from_is_expected_at_once(tmp_path: Path) -> None:
    storage = Expectations()
    reader, images = shuffled_records(tmp_path, 200, 100_000, storage=storage)
    drop_from_cache(tmp_path / "images.rec")
    read = [np.asarray(each).tobytes() for batch, _ in reader.next_epoch(batch_size=BATCH) for each in batch]
    assert read != images
    assert sorted(read) == sorted(images)
    first = vars(storage)["offsets"][0]
    assert len(first) == 200
    assert (np.diff(first) > 0).all()


def test_records_of_a_stretch_that_is_too_long_are_expected_a_batch_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_read_ahead, "EXPECTED_BYTES", 60 * 1000)
    storage = Expectations()
    reader, images = shuffled_records(tmp_path, 200, 1000, storage=storage)
    drop_from_cache(tmp_path / "images.rec")
    read = [np.asarray(each).tobytes() for batch, _ in reader.next_epoch(batch_size=BATCH) for each in batch]
    assert sorted(read) == sorted(images)
    assert len(vars(storage)["offsets"][0]) == 2 * BATCH


def test_a_record_file_that_is_cut_short_is_told_when_records_are_read(tmp_path: Path) -> None:
    reader, _ = shuffled_records(tmp_path, 40, 1000)
    os.truncate(tmp_path / "images.rec", 20_000)
    with pytest.raises(RuntimeError, match=r"the file has 20000 bytes|behind the 20000 bytes"):
        [*reader.next_epoch(batch_size=BATCH)]


def test_a_batch_in_new_memory_is_what_was_read(tmp_path: Path) -> None:
    contents = [np.random.default_rng(number).bytes(700_000 + number) for number in range(8)]
    for number, content in enumerate(contents):
        (tmp_path / f"{number}.bin").write_bytes(content)
    storage, names = Storage(), Names.of([f"{number}.bin" for number in range(8)])
    trim_arena()
    for _ in range(2):  # in new memory, then in the same again
        read = storage.read(str(tmp_path), names, np.arange(8))
        assert [read.sample(at).tobytes() for at in range(8)] == contents
        del read
