"""`experimental.readers.Fits`: HDUs, types, scaled and compressed images, saved state."""

from __future__ import annotations

import io
import sys
from typing import Any

import fsspec
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as arrays

import penstock.dynamic as ndd
from penstock.readers import Fits
from readers.fits_files import BITPIX, hdu, write
from readers.promises import check_resume, values

IMAGE = np.arange(6, dtype=np.int16).reshape(2, 3)


def read(path: Any, *hdus: int, **options: Any) -> list[np.ndarray]:
    return [output.sample(0) for output in Fits(files=path, hdu_indices=hdus or [2], **options).read([0])]


@given(arrays.arrays(st.sampled_from([*BITPIX]), arrays.array_shapes(min_dims=1, max_dims=5, min_side=0, max_side=4)))
@settings(max_examples=30, deadline=None)
def test_any_image_comes_back(tmp_path_factory, array):
    path = write(tmp_path_factory.getbasetemp() / "any.fits", hdu(first=True), hdu(array))
    np.testing.assert_array_equal(read(path)[0], array, strict=True)


def test_an_output_for_each_hdu(tmp_path):
    path = write(tmp_path / "a.fits", hdu(IMAGE, first=True), hdu(np.zeros((300, 300))), hdu(IMAGE * 2))
    ((first, third, again),) = ndd.experimental.readers.Fits(files=path, hdu_indices=[1, 3, 1]).next_epoch(batch_size=1)
    assert values(first) == values(again) == [IMAGE.tolist()]
    assert values(third) == [(IMAGE * 2).tolist()]
    assert (third.dtype, third.shape) == (ndd.int16, [(2, 3)])


@pytest.mark.parametrize(
    ("stored", "zero", "unsigned"),
    [("u1", -128, "i1"), ("i2", 32768, "u2"), ("i4", "2147483648.0", "u4"), ("i8", 9223372036854775808, "u8")],
)
def test_numbers_of_the_other_sign_keep_their_type(tmp_path, stored, zero, unsigned):
    limits = np.iinfo(unsigned)
    meant = np.array([limits.min, 5, limits.max], unsigned)
    kept = (meant.astype(object) - int(float(zero))).astype(stored)
    path = write(tmp_path / "a.fits", hdu(first=True), hdu(kept, BZERO=zero, BSCALE="1.0D0"))
    np.testing.assert_array_equal(read(path)[0], meant, strict=True)


@pytest.mark.parametrize(
    ("stored", "scaled"), [("u1", "f4"), ("i2", "f4"), ("i4", "f8"), ("i8", "f8"), ("f4", "f4"), ("f8", "f8")]
)
def test_scaled_numbers_are_floats(tmp_path, stored, scaled):
    kept = np.array([0, 1, 2, 9], stored)
    path = write(tmp_path / "a.fits", hdu(first=True), hdu(kept, BSCALE="0.5", BZERO="-1.0E1", BLANK=9))
    blank = np.nan if stored[0] in "ui" else -5.5
    np.testing.assert_array_equal(read(path)[0], np.array([-10, -9.5, -9, blank], scaled), strict=True)


def test_outputs_are_converted_as_cast_does(tmp_path):
    image = np.array([-1.5, 2.5, 300.0])
    path = write(tmp_path / "a.fits", hdu(image, first=True), hdu(IMAGE))
    byte, wide = read(path, 1, 2, dtypes=[ndd.uint8, ndd.float32])
    np.testing.assert_array_equal(byte, np.array([0, 3, 255], np.uint8), strict=True)
    np.testing.assert_array_equal(wide, IMAGE.astype(np.float32), strict=True)
    assert [array.dtype for array in read(path, 1, 2, dtypes=ndd.int64)] == [np.int64, np.int64]
    assert [array.dtype for array in read(path, 1, 2, dtypes=[None, ndd.int64])] == [np.float64, np.int64]
    other = write(tmp_path / "b.fits", hdu(IMAGE[0], first=True))
    mixed = Fits(files=[path, other], hdu_indices=1, dtypes=ndd.float32).read([0, 1])[0]
    assert values(mixed) == [[-1.5, 2.5, 300.0], [0, 1, 2]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hdu_indices": [0]}, "numbers from 1 on"),
        ({"hdu_indices": []}, "at least one"),
        ({"hdu_indices": [1, 2], "dtypes": [ndd.uint8]}, "1 ``dtypes`` were given for 2 outputs"),
        ({"dtypes": [ndd.uint8, None]}, "2 ``dtypes`` were given for 1 outputs"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(options, message):
    with pytest.raises(RuntimeError, match=message):
        Fits(files="a.fits", **options)


def test_files_at_urls_and_in_folders(tmp_path):
    contents = hdu(IMAGE, first=True) + hdu(IMAGE + 7)
    with fsspec.open("memory://plates/night/a.fits", "wb") as file:
        file.write(contents)
    outputs = Fits(file_root="memory://plates", hdu_indices=[2, 1]).read([0])
    assert [values(output) for output in outputs] == [[(IMAGE + 7).tolist()], [IMAGE.tolist()]]
    assert outputs[0].sources == ["night/a.fits"]
    write(tmp_path / "b.fits", contents)
    write(tmp_path / "b.fts", contents)
    assert Fits(file_root=tmp_path).read([0])[0].sources == ["./b.fits"]
    assert Fits(file_root=tmp_path, file_filter="*.fts").read([0])[0].sources == ["./b.fts"]


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}, {"num_shards": 2, "shard_id": 1}])
def test_saved_state(tmp_path, options):
    for number in range(7):
        write(tmp_path / f"{number}.fits", hdu(first=True), hdu(IMAGE + number))
    check_resume(lambda: Fits(file_root=tmp_path, enable_checkpointing=True, **options))


def compressed(array: np.ndarray, **options: Any) -> bytes:
    fits = pytest.importorskip("astropy.io.fits")
    file = io.BytesIO()
    fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(array, **options)]).writeto(file)
    return file.getvalue()


@pytest.mark.parametrize("method", ["RICE_1", "GZIP_1", "GZIP_2", "HCOMPRESS_1"])
@pytest.mark.parametrize("kind", ["i2", "u2"])
def test_compressed_images(tmp_path, method, kind):
    image = np.arange(600).reshape(20, 30).astype(kind)
    packed = write(tmp_path / "a.fits", compressed(image, compression_type=method))
    plain = write(tmp_path / "b.fits", hdu(first=True), hdu(np.arange(6, dtype="i2").reshape(2, 3)))
    reader = Fits(files=[packed, plain], dtypes=ndd.float32)
    assert values(reader.read([1, 0])[0]) == [IMAGE.tolist(), image.tolist()]
    np.testing.assert_array_equal(read(packed)[0], image, strict=True)


@pytest.mark.parametrize("cut", [4000, 100, 0])
def test_compressed_images_beside_bad_files_are_read(tmp_path, cut):
    image = np.arange(600, dtype=np.int16).reshape(20, 30)
    contents = compressed(image, compression_type="RICE_1")
    paths = [write(tmp_path / f"{k}.fits", contents[:cut] if k in (1, 3) else contents) for k in range(5)]
    reader = Fits(files=[*paths, str(tmp_path / "missing.fits")], on_error="skip")
    batches = [values(batch) for (batch,) in reader.next_epoch(batch_size=3)]
    assert batches == [[image.tolist()] * 3]
    assert [bad.index for bad in reader.errors] == [1, 3, 5]


def test_one_odd_compressed_image_does_not_make_its_neighbours_bad(tmp_path):
    image = np.arange(600, dtype=np.int16).reshape(20, 30)
    kinds = [image.astype(np.int32), image, image, image]
    paths = [write(tmp_path / f"{k}.fits", compressed(kind)) for k, kind in enumerate(kinds)]
    reader = Fits(files=paths, on_error="skip")
    assert [values(batch) for (batch,) in reader.next_epoch(batch_size=3)] == [[image.tolist()] * 3]
    assert [bad.index for bad in reader.errors] == [0]


def test_compressed_images_that_are_damaged_or_cannot_be_read(tmp_path, monkeypatch):
    contents = compressed(np.arange(600, dtype=np.int16).reshape(20, 30))
    path = write(tmp_path / "a.fits", contents[:-2880])
    with pytest.raises(RuntimeError, match=r"a\.fits: HDU 2 at byte 2880: the image is compressed, and astropy cannot"):
        read(path)
    path = write(tmp_path / "a.fits", contents)
    monkeypatch.setitem(sys.modules, "astropy.io", None)
    with pytest.raises(RuntimeError, match=r"pip install penstock\[fits\]"):
        read(path)
