"""What happens to files that are too large, cut off, damaged or of a kind that is not decoded."""

import struct
import threading
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ops.decode.files import FIVE, GREY16, HEIGHT, RGB, STORED, WIDTH, saved, tiff
from penstock.ops.decode.formats import decode_image, to_colour
from penstock.ops.decode.headers import peek_shape
from penstock.values import dtypes
from penstock.values.enums import ImageType

PIXELS = HEIGHT * WIDTH


def png_claiming(width, height):
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return np.frombuffer(head, np.uint8)


def test_the_limit_counts_an_image_twice_as_it_is_stored_or_handed_out():
    bytes_of_pixel = [(saved(RGB, "PNG"), 6), (saved(GREY16, "PNG"), 4), (tiff(FIVE), 10)]
    for data, each in bytes_of_pixel:
        decode_image(data, adjust_orientation=True, max_bytes=each * PIXELS)
        with pytest.raises(
            RuntimeError, match=f"would take {each * PIXELS} bytes .* the limit of {each * PIXELS - 1}; raise"
        ):
            decode_image(data, adjust_orientation=True, max_bytes=each * PIXELS - 1)
    rgb = {"output_type": ImageType.RGB, "dtype": dtypes.float32}
    with pytest.raises(RuntimeError, match=f"would take {24 * PIXELS} bytes"):
        decode_image(saved(RGB, "PNG"), adjust_orientation=True, max_bytes=100, **rgb)


@pytest.mark.parametrize(
    "data",
    [
        png_claiming(30000, 30000),
        np.frombuffer(b"P6 30000 30000 255\n" + bytes(1000), np.uint8),
        np.frombuffer(b"P4 30000 30000 " + bytes(1000), np.uint8),
        np.frombuffer(b"P2 30000 30000 65535\n" + b"1 " * 1000, np.uint8),
        np.frombuffer(b"BM" + bytes(12) + struct.pack("<IiiHHI", 40, 30000, 30000, 1, 24, 0) + bytes(1000), np.uint8),
    ],
    ids=["PNG", "PPM", "PBM", "text PGM", "BMP"],
)
def test_a_file_too_short_for_its_header_is_refused_before_there_is_memory_for_it(data):
    with pytest.raises(RuntimeError, match=r"cut off: an image of 30000x30000 takes at least \d+ bytes, the file has"):
        decode_image(data, adjust_orientation=True, max_bytes=1 << 40)


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_file_cut_off_is_refused_in_silence(kind, share, capfd):
    data = STORED[kind][0]()
    with pytest.raises(RuntimeError, match=r"cut off|damaged"):
        decode_image(data[: int(data.size * share)], adjust_orientation=True)
    assert capfd.readouterr().err == ""


def test_a_damaged_png_names_the_chunk_in_silence(capfd):
    data = saved(RGB, "PNG").copy()
    data[200] ^= 1
    with pytest.raises(RuntimeError, match="wrong checksum of chunk b'IDAT' at byte 33"):
        decode_image(data, adjust_orientation=True)
    assert capfd.readouterr().err == ""


def test_what_cannot_be_decoded_is_named():
    packed = saved(RGB, "TIFF", compression="tiff_lzw").copy()
    packed[packed.tobytes().index(struct.pack("<HHIH", 259, 3, 1, 5)) + 8] = 99
    with pytest.raises(RuntimeError, match="TIFF compression 99 is not supported"):
        decode_image(packed, adjust_orientation=True)
    with pytest.raises(RuntimeError, match=r"the TIFF \(1 samples of 16 bits\) data is .* OpenCV"):
        decode_image(tiff(GREY16.view(np.float16)), adjust_orientation=True)


def test_the_log_level_of_opencv_is_put_back_by_the_last_decoder():
    log_level = cv2.utils.logging.getLogLevel if hasattr(cv2.utils, "logging") else cv2.getLogLevel
    level = log_level()
    good, bad = saved(RGB, "WEBP"), saved(RGB, "WEBP")[:100]

    def decode_often(data):
        for _ in range(50):
            try:
                decode_image(data, adjust_orientation=True)
            except RuntimeError:
                assert data is bad

    threads = [threading.Thread(target=decode_often, args=(data,)) for data in (good, bad) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log_level() == level


def test_a_tag_of_more_values_than_any_file_holds_is_refused():
    """TIFFs of 64-bit offsets have counts of 64 bits: 20 bytes for an entry, of which the count is at 4."""
    data = saved(RGB, "TIFF", big_tiff=True).copy()
    (directory,) = struct.unpack_from("<Q", data, 8)
    (length,) = struct.unpack_from("<Q", data, directory)
    entries = range(directory + 8, directory + 8 + 20 * length, 20)
    bits = next(entry for entry in entries if struct.unpack_from("<H", data, entry) == (258,))
    struct.pack_into("<Q", data, bits + 4, 1 << 62)
    with pytest.raises(RuntimeError, match=r"the TIFF directory is damaged: the values of tag 258"):
        decode_image(data, adjust_orientation=True)


@pytest.mark.parametrize("options", [{}, {"no_jp2": True}], ids=["file", "codestream"])
def test_jpeg_2000_is_kept_from_an_opencv_that_damaged_files_crash(monkeypatch, options):
    data = saved(RGB, "JPEG2000", **options)
    monkeypatch.setattr("cv2.__version__", "4.11.0")
    monkeypatch.setattr("cv2.imdecode", None)
    assert peek_shape(data, adjust_orientation=True) == RGB.shape
    with pytest.raises(RuntimeError, match=r"4\.12 and later only, and this is 4\.11\.0"):
        decode_image(data, adjust_orientation=True)


SAMPLES = [make() for make, _ in STORED.values()]
EDITS = st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=6)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(SAMPLES),
    EDITS,
    st.one_of(st.none(), st.integers(0, 1 << 16)),
    st.sampled_from(list(ImageType)),
    st.booleans(),
)
def test_any_bytes_give_an_image_or_a_runtime_error(sample, edits, length, output_type, near_the_start):
    data = sample[:length].copy()
    for position, value in edits if data.size else ():
        data[position % (min(data.size, 64) if near_the_start else data.size)] = value
    try:
        shape = peek_shape(data, adjust_orientation=True)
        image = decode_image(data, adjust_orientation=True, output_type=output_type, max_bytes=6 << 20)
    except RuntimeError:
        return
    assert to_colour(image, output_type, dtypes.uint8).shape[:2] == shape[:2]
