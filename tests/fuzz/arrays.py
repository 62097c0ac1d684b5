"""Files of arrays: numpy.save, FITS, plain and compressed, and LZ4 blocks."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

import penstock.dynamic as ndd
from fuzz.target import LIMIT, Target, of_file
from penstock.readers import Fits, Numpy
from readers.fits_files import BITPIX, hdu


def npy_files() -> list[bytes]:
    made = []
    for array in (np.arange(24.0).reshape(2, 3, 4), np.asfortranarray(np.ones((3, 5), ">i2")), np.zeros((), bool)):
        file = io.BytesIO()
        np.save(file, array)
        made.append(file.getvalue())
    return made


def decode_npy(data: bytes, folder: Path) -> None:
    with ndd.EvalMode.sync_cpu:
        ndd.decoders.numpy(np.frombuffer(data, np.uint8), dtype=ndd.float32, max_bytes=LIMIT).evaluate()
    of_file(
        "a.npy",
        lambda path: Numpy(
            files=[path], rel_roi_start=[0.5], roi_shape=[2], out_of_bounds_policy="pad", max_bytes=LIMIT
        ),
    )(data, folder)


def fits_files() -> list[bytes]:
    plain = [hdu(np.arange(6).reshape(2, 3).astype(kind), first=True, BZERO=1) + hdu(np.ones(3)) for kind in BITPIX]
    return [hdu(first=True) + hdu(np.zeros((4, 5), np.float32)), *plain, *compressed_fits()]


def compressed_fits() -> list[bytes]:
    from astropy.io import fits

    made = []
    for kind in ("RICE_1", "GZIP_1", "PLIO_1"):
        file = io.BytesIO()
        image = fits.CompImageHDU(np.arange(64, dtype=np.int16).reshape(8, 8), compression_type=kind)
        fits.HDUList([fits.PrimaryHDU(), image]).writeto(file)
        made.append(file.getvalue())
    return made


def inflate(data: bytes, folder: Path) -> None:
    """The first byte is the size."""
    packed = np.frombuffer(data, np.uint8)
    with ndd.EvalMode.sync_cpu:
        ndd.decoders.inflate(packed[1:], shape=[data[0] if data else 0], max_bytes=LIMIT).evaluate()


TARGETS = {
    "npy": Target(npy_files, decode_npy),
    "fits": Target(fits_files, of_file("a.fits", lambda path: Fits(files=[path], max_bytes=LIMIT))),
    "lz4": Target(lambda: [bytes([5, 0x50, *b"12345"]), bytes([29, 0x1F, 1, 1, 0, 4, 0x50, *b"abcde"])], inflate),
}
