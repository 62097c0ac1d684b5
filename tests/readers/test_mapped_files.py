"""Archives and files of arrays that are read again stay mapped, which must not be seen in anything but the speed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.readers import Fits, Numpy, Webdataset
from readers.fits_files import hdu
from readers.promises import values
from readers.tars import write_tar

GRID = np.arange(2_000_000, dtype=np.int32).reshape(1000, 2000)


@pytest.fixture
def path(tmp_path: Path) -> str:
    np.save(tmp_path / "grid.npy", GRID)
    return str(tmp_path / "grid.npy")


def read_again(path: str, **options: Any) -> Numpy:
    """A reader that has read the file three times."""
    reader = Numpy(files=path, **options)
    for _ in range(3):
        reader.read([0])
    return reader


def is_mapped(path: str) -> bool:
    return path in Path("/proc/self/maps").read_text()


needs_maps = pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc/self/maps")


@needs_maps
def test_a_file_is_mapped_when_it_is_read_again_and_for_as_long_as_the_reader_is_there(path):
    reader = Numpy(files=path)
    assert not is_mapped(path)
    reader.read([0])
    assert not is_mapped(path)
    reader.read([0])
    assert is_mapped(path)
    del reader
    assert not is_mapped(path)


@needs_maps
def test_files_of_a_large_batch_are_mapped_only_when_they_are_read_again(tmp_path):
    files = [str(tmp_path / f"{number}.npy") for number in range(100)]
    for number, file in enumerate(files):
        np.save(file, np.full(9, number))
    reader = Numpy(files=files)
    for times in range(2):
        assert not any(map(is_mapped, files))
        (arrays,) = reader.read(range(100))
        assert [int(arrays.sample(at)[8]) for at in range(100)] == [*range(100)]
        assert times or not any(map(is_mapped, files))
    assert all(map(is_mapped, files))


@needs_maps
def test_a_file_is_not_mapped_where_the_user_does_not_want_it(path):
    reader = read_again(path, dont_use_mmap=True)
    assert not is_mapped(path)
    np.testing.assert_array_equal(reader.read([0])[0].sample(0), GRID)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, GRID),
        ({"roi_start": [10, 20], "roi_shape": [300, 900]}, GRID[10:310, 20:920]),
        ({"roi_start": [999, 1999], "roi_shape": [1, 1]}, GRID[999:, 1999:]),
        ({"roi_axes": [0], "roi_start": [-1], "roi_shape": [2], "out_of_bounds_policy": "pad", "fill_value": 7},
         np.pad(GRID[:1], [(1, 0), (0, 0)], constant_values=7)),
    ],
)  # fmt: skip
def test_values_are_the_same_from_a_mapping(path, options, expected):
    reader = Numpy(files=path, **options)
    for _ in range(4):
        np.testing.assert_array_equal(reader.read([0])[0].sample(0), expected)


def test_images_of_fits_are_the_same_from_a_mapping(tmp_path):
    path = tmp_path / "image.fits"
    path.write_bytes(hdu(first=True) + hdu(GRID))
    reader = Fits(files=str(path), hdu_indices=2)
    for _ in range(4):
        np.testing.assert_array_equal(reader.read([0])[0].sample(0), GRID)


@needs_maps
@pytest.mark.parametrize("dont_use_mmap", [False, True])
def test_archives_are_mapped_when_they_are_read_again(tmp_path, dont_use_mmap):
    path = write_tar(tmp_path / "a.tar", [(f"{n}.txt", bytes([n]) * 300_000) for n in range(3)])
    reader = Webdataset(paths=path, ext="txt", dont_use_mmap=dont_use_mmap)
    for _ in range(3):
        assert [set(sample) for sample in values(reader.read([2, 0, 1])[0])] == [{2}, {0}, {1}]
    assert is_mapped(path) != dont_use_mmap
    os.truncate(path, 500_000)
    assert set(values(reader.read([0])[0])[0]) == {0}
    with pytest.raises(RuntimeError, match=f"{re.escape(path)}: the file has 500000 bytes, the sample ends at byte"):
        reader.read([1])


def test_a_file_in_the_place_of_another_is_read(path, tmp_path):
    reader = read_again(path)
    np.save(tmp_path / "other.npy", GRID + 1)
    os.replace(tmp_path / "other.npy", path)
    for _ in range(2):
        np.testing.assert_array_equal(reader.read([0])[0].sample(0), GRID + 1)


def test_what_is_written_into_a_file_is_read(path):
    reader = read_again(path)
    for changed in (GRID + 1, GRID[:10], GRID):  # the same size, a smaller and a larger one
        np.save(path, changed)
        np.testing.assert_array_equal(reader.read([0])[0].sample(0), changed)


def test_a_file_that_is_gone_is_named_and_read_when_it_is_back(path):
    reader = read_again(path)
    os.rename(path, path + ".away")
    with pytest.raises(RuntimeError, match=f"{re.escape(path)}: No such file"):
        reader.read([0])
    os.rename(path + ".away", path)
    np.testing.assert_array_equal(reader.read([0])[0].sample(0), GRID)


def test_a_file_that_has_been_cut_short_is_an_error_of_its_sample(path):
    reader = read_again(path)
    os.truncate(path, 5000)
    with pytest.raises(RuntimeError, match=f"{re.escape(path)}: the array takes 8000000 bytes from byte 128 on"):
        reader.read([0])


CUT_WHILE_READ = """
import os, shutil, sys, threading
import numpy as np
import penstock.dynamic as ndd

path, readers = sys.argv[1], {".npy": ndd.readers.Numpy, ".tar": ndd.readers.Webdataset}
reader = readers[path[-4:]](**eval(sys.argv[2]))
size, done = os.path.getsize(path), threading.Event()

def read():
    return [np.asarray(sample) for sample in reader.read(range(4))[0].tensors]

def cut():
    while not done.is_set():
        os.truncate(path, 700)
        os.truncate(path, size)

expected = read()
read()
shutil.copy(path, path + ".whole")
thread = threading.Thread(target=cut)
thread.start()
for _ in range(400):
    try:
        read()
    except RuntimeError as error:
        assert path in str(error), error
done.set()
thread.join()
shutil.copy(path + ".whole", path)
np.testing.assert_array_equal(read(), expected)
"""


@pytest.mark.parametrize("kind", ["arrays", "archive"])
def test_a_file_may_be_cut_short_in_the_middle_of_a_copy(path, tmp_path, kind):
    options: dict[str, Any] = {"files": [path] * 4}
    if kind == "archive":
        path = write_tar(tmp_path / "a.tar", [(f"{n}.txt", bytes([n]) * 2_000_000) for n in range(4)])
        options = {"paths": path, "ext": "txt"}
    done = subprocess.run([sys.executable, "-c", CUT_WHILE_READ, path, repr(options)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


BUS_ERROR_OF_THE_PROGRAM = """
import mmap, os, sys
import penstock.dynamic as ndd

path = sys.argv[1]
reader = ndd.readers.Numpy(files=path)
for _ in range(3):
    reader.read([0])
with open(path, "r+b") as file:
    mapping = mmap.mmap(file.fileno(), 0)
os.truncate(path, 0)
mapping[10_000]
"""


@pytest.mark.parametrize("handled", [False, True])
def test_bus_errors_that_are_the_programs_own_end_it_as_ever(path, handled):
    command = [sys.executable, *["-X", "faulthandler"] * handled, "-c", BUS_ERROR_OF_THE_PROGRAM, path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == -signal.SIGBUS or "AddressSanitizer: BUS" in done.stderr
    assert ("Fatal Python error: Bus error" in done.stderr) == handled


HANDLER_OF_THE_PROGRAM = """
import signal, sys
import numpy as np
import penstock.dynamic as ndd

def read():
    reader = ndd.readers.Numpy(files=sys.argv[1])
    for _ in range(3):
        (grid,) = reader.read([0])
    with open("/proc/self/maps") as maps:
        return grid, sys.argv[1] in maps.read()

assert read()[1]
signal.signal(signal.SIGBUS, print)
grid, is_mapped = read()
assert not is_mapped
assert signal.getsignal(signal.SIGBUS) is print
np.testing.assert_array_equal(grid.tensors[0], np.load(sys.argv[1]))
"""


@needs_maps
def test_a_program_that_handles_bus_errors_keeps_its_handler_and_nothing_is_mapped(path):
    done = subprocess.run([sys.executable, "-c", HANDLER_OF_THE_PROGRAM, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
