"""Files of arrays that are damaged or lie: the error names file and place, and nothing else happens."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from penstock.readers import Fits, Numpy
from readers.fits_files import hdu, header

GRID = np.arange(6, dtype=np.float32).reshape(2, 3)
TABLE = {"XTENSION": "'BINTABLE'", "BITPIX": 8, "NAXIS": 2, "NAXIS1": 4, "NAXIS2": 3, "PCOUNT": 0, "GCOUNT": 1}


def saved(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


NPY = saved(GRID)
FITS = hdu(first=True) + hdu(GRID)


def with_text(before: bytes, after: bytes) -> bytes:
    assert before in NPY
    return NPY.replace(before, after.ljust(len(before)))


def read_npy(path: Path, contents: bytes, **options: Any) -> np.ndarray:
    path.write_bytes(contents)
    return Numpy(files=path, **options).read([0])[0].sample(0)


def read_fits(path: Path, contents: bytes, hdu_index: int = 2) -> np.ndarray:
    path.write_bytes(contents)
    return Fits(files=path, hdu_indices=hdu_index).read([0])[0].sample(0)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "Got bad magic string for numpy header at byte 0"),
        (b"XX" + NPY[2:], "Got bad magic string for numpy header at byte 0"),
        (NPY[:6], "at byte 6: version 0 of the format is not known"),
        (NPY[:6] + b"\x09" + NPY[7:], "at byte 6: version 9 of the format is not known, only 1 to 3"),
        (NPY[:9], "at byte 8: the header ends at byte"),
        (NPY[:50], "at byte 8: the header ends at byte 128, the file has 50"),
        (NPY[:6] + b"\2\0\xff\xff\xff\xff" + NPY[12:], "at byte 8: the header ends at byte 4294967307, the file has"),
        (NPY[:-1], "the array takes 24 bytes from byte 128 on, the file ends at byte 151"),
        (NPY[:128], "the array takes 24 bytes from byte 128 on, the file ends at byte 128"),
        (with_text(b"(2, 3)", b"(-2,3)"), "at byte 61: the header does not describe an array of numbers"),
        (with_text(b"(2, 3)", b"(2;3)"), "does not describe an array of numbers"),
        (with_text(b"(2, 3), }  ", b"(9, 9), }  "), "the array takes 324 bytes"),
        (with_text(b"(2, 3), }" + b" " * 30, b"(4611686018427387905, 4), }"), "shape is too large"),
        (with_text(b"(2, 3), }" + b" " * 40, b"(4294967296, 4294967296, 0), }"), "shape is too large"),
        (with_text(b"(2, 3), }" + b" " * 40, b"(1,1,1,1,1,1,1,1,6), }"), "more than 8 axes"),
        (with_text(b"'shape': (2, 3)", b"'descr': '<f4'"), "does not describe an array of numbers"),
        (with_text(b"'shape': (2, 3)", b""), "does not describe an array of numbers"),
        (with_text(b"False", b"Maybe"), "does not describe an array of numbers"),
        (with_text(b"'<f4'", b"<f4"), "does not describe an array of numbers"),
        (with_text(b"'<f4'", b"''"), "Unknown Numpy type string: ;"),
        (saved(np.complex64([1])), "Unknown Numpy type string: <c8"),
        (saved(np.array(["text"])), "Unknown Numpy type string: <U4"),
        (saved(np.zeros(2, [("a", "i4")])), r"does not describe an array of numbers: \{'descr': \[\('a'"),
        (saved(np.zeros(2, [(f"field{i}", "i4") for i in range(900)])), "at byte 8: a header of 18880 bytes"),
    ],
)
def test_files_that_are_no_arrays_of_numbers(tmp_path, contents, message):
    with pytest.raises(RuntimeError, match=rf"a\.npy: {message}" if "byte" in message else rf"a\.npy: .*{message}"):
        read_npy(tmp_path / "a.npy", contents)


def test_nothing_is_unpickled(tmp_path):
    class Harmful:
        def __reduce__(self):
            return (open, (str(tmp_path / "harm"), "w"))

    contents = saved(np.array([Harmful()], object))
    with pytest.raises(RuntimeError, match=r"a\.npy: at byte 10: Unknown Numpy type string: \|O"):
        read_npy(tmp_path / "a.npy", contents)
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roi_start": [-1, 0]}, "out of bounds with current policy.*slice_anchor={-1 x 0}"),
        ({"roi_start": [0, 0], "roi_shape": [3, 1]}, "out of bounds"),
        ({"roi_shape": [-1, 1], "out_of_bounds_policy": "pad"}, "negative shapes are not allowed. Got: -1"),
        ({"roi_start": [1, 1], "roi_end": [0, 1]}, "start=1 end=0"),
        ({"rel_roi_start": [np.nan, 0]}, "anchor value out of range"),
        ({"roi_shape": 2**31 - 1, "out_of_bounds_policy": "pad"}, "the region is too large to be read"),
        ({"roi_axes": [2], "roi_start": [0]}, "Axis 2 out of range"),
        ({"roi_axes": [0, -2], "roi_start": [0, 0]}, "Axis index 0 occurs more than once"),
    ],
)
def test_regions_that_cannot_be(tmp_path, options, message):
    with pytest.raises(RuntimeError, match=rf"a\.npy: .*{message}"):
        read_npy(tmp_path / "a.npy", NPY, **options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"roi_start": [0], "rel_roi_start": [0]}, RuntimeError, '"roi_start" and "rel_roi_start"'),
        ({"roi_end": [0], "roi_shape": [0]}, RuntimeError, "mutually exclusive"),
        ({"roi_axes": [0], "roi_end": [1, 1]}, RuntimeError, '"roi_end" expected 1 values'),
        ({"roi_start": "abc"}, TypeError, "roi_start is a number"),
        ({"out_of_bounds_policy": "wrap"}, RuntimeError, "Not supported out_of_bounds_policy: wrap"),
        ({"use_o_direct": True}, RuntimeError, "Cannot use use_o_direct"),
        ({"file_lists": "a"}, TypeError, "did you mean 'file_list'"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        Numpy(files="a.npy", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "``file_root`` argument is required"),
        ({"files": []}, "``files`` specified an empty list"),
        ({"files": ["a"], "file_list": "b"}, "but not both"),
        ({"file_list": "nope.txt"}, "Cannot open: nope.txt"),
        ({"file_root": "."}, r"No files found. Looked in \. for '\*\.npy'"),
        ({"file_root": "./nope"}, "Failed to open"),
        ({"files": "nope.npy"}, "nope.npy: No such file or directory"),
        ({"files": "."}, "Is a directory"),
    ],
)
def test_files_that_are_not_there(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match=message):
        Numpy(**options).read([0])


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    with pytest.raises(RuntimeError, match=r"a\.npy: not a regular file"):
        Numpy(files=tmp_path / "a.npy").read([0])


def test_batches_of_different_arrays(tmp_path):
    for name, array in (("a", GRID), ("b", GRID.astype(np.int32)), ("c", GRID[0])):
        (tmp_path / f"{name}.npy").write_bytes(saved(array))
    reader = Numpy(file_root=tmp_path)
    with pytest.raises(
        RuntimeError, match=r"b\.npy: Inconsistent data: All .* same data type. Sample 0 has float32, sample 1 int32"
    ):
        reader.read([0, 1])
    with pytest.raises(
        RuntimeError, match=r"c\.npy: Inconsistent data: .* number of dimensions. Sample 0 has 2, sample 1 1"
    ):
        reader.read([0, 2])


@pytest.mark.parametrize("odd", [0, 1, 3])
@pytest.mark.parametrize("array", [GRID[0], GRID.astype(np.int32)])
def test_one_odd_array_does_not_make_its_neighbours_bad(tmp_path, odd, array):
    for number in range(4):
        (tmp_path / f"{number}.npy").write_bytes(saved(array if number == odd else GRID))
    reader = Numpy(file_root=tmp_path, on_error="skip")
    assert [len(batch) for (batch,) in reader.next_epoch(batch_size=3)] == [3]
    assert [bad.index for bad in reader.errors] == [odd]


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "HDU 1 at byte 0: the header does not end"),
        (FITS[:2000], "HDU 1 at byte 0: the header does not end"),
        (bytes(2880), "HDU 1 at byte 0: not the header of a FITS file"),
        (FITS[:2880], "there is no HDU 2, the file ends at byte 2880 after 1"),
        (FITS[:2880] + bytes(2880), "HDU 2 at byte 2880: not the header of a FITS file"),
        (FITS[:5000], "HDU 2 at byte 2880: the header does not end"),
        (FITS[:2880] + b"XTENSION= 'IMAGE   '".ljust(2880), "HDU 2 at byte 5760: the header does not end"),
        (FITS[: 5760 + 20], "the array takes 24 bytes from byte 5760 on, the file ends at byte 5780"),
        (FITS[:2880] + hdu(GRID, NAXIS2=2000), "the array takes 24000 bytes from byte 5760 on"),
        (FITS[:2880] + hdu(GRID, NAXIS=3), "NAXIS is 3, but not all of these axes have an extent"),
        (FITS[:2880] + hdu(GRID, NAXIS=-1), "NAXIS is -1, it can be 0 to 999"),
        (FITS[:2880] + hdu(GRID, NAXIS1=-3), "at byte 3120: an axis of -3 elements"),
        (FITS[:2880] + hdu(GRID, NAXIS1="three"), "at byte 3120: not a whole number: three"),
        (FITS[:2880] + hdu(GRID, NAXIS1=2**62, NAXIS2=2**62), "the data is larger than any file"),
        (FITS[:2880] + hdu(GRID, BITPIX=12), "BITPIX is 12, it can be 8, 16, 32, 64, -32 or -64"),
        (FITS[:2880] + hdu(GRID, PCOUNT=-1), "PCOUNT is -1"),
        (FITS[:2880] + hdu(GRID, GCOUNT=2**63 - 1), "GCOUNT"),
        (FITS[:2880] + hdu(GRID, BSCALE="nan"), "at byte 3280: not a number: nan"),
        (FITS[:2880] + hdu(np.zeros((1,) * 9)), "the image has 9 axes, at most 8 can be read"),
        (FITS[:2880] + hdu(), "HDU 2 at byte 2880: there is no data here"),
        (FITS[:2880] + header(TABLE) + bytes(2880), "HDU 2 at byte 2880: there is a table here, no image"),
    ],
)
def test_files_without_the_image(tmp_path, contents, message):
    with pytest.raises(RuntimeError, match=rf"a\.fits: .*{message}"):
        read_fits(tmp_path / "a.fits", contents)


def test_hdus_are_found_behind_tables_and_groups(tmp_path):
    groups = hdu(first=True, BITPIX=16, NAXIS=2, NAXIS1=0, NAXIS2=5, GROUPS=True, PCOUNT=3, GCOUNT=200) + bytes(5760)
    table = header({**TABLE, "PCOUNT": 5000}) + bytes(5760)
    np.testing.assert_array_equal(read_fits(tmp_path / "a.fits", groups + table + hdu(GRID), 3), GRID)


@given(st.lists(st.tuples(st.integers(0, len(NPY) - 1), st.integers(0, 7)), min_size=1, max_size=4))
@settings(max_examples=80, deadline=None)
def test_flipped_bits_of_a_numpy_file(tmp_path_factory, flips):
    path = tmp_path_factory.getbasetemp() / "flipped.npy"
    for options in ({}, {"roi_start": -1, "roi_shape": 3, "out_of_bounds_policy": "pad"}):
        with contextlib.suppress(RuntimeError):
            read_npy(path, flipped(NPY, flips), **options)


@given(st.lists(st.tuples(st.integers(0, 2880 + 10 * 80), st.integers(0, 7)), min_size=1, max_size=4))
@settings(max_examples=80, deadline=None)
def test_flipped_bits_of_a_fits_file(tmp_path_factory, flips):
    contents = flipped(hdu(first=True) + hdu(GRID, BSCALE="2.0", BZERO="1.0", PCOUNT=0, GCOUNT=1), flips)
    with contextlib.suppress(RuntimeError):
        read_fits(tmp_path_factory.getbasetemp() / "flipped.fits", contents)


def flipped(contents: bytes, flips: list[tuple[int, int]]) -> bytes:
    changed = bytearray(contents)
    for place, bit in flips:
        changed[place] ^= 1 << bit
    return bytes(changed)
