"""Formats and shapes read from headers alone."""

import struct

import numpy as np
import pytest
from PIL import Image

from ops.decode import files
from ops.decode.files import GREY, GREY16, HEIGHT, INK, LA, RGB, RGB16, RGBA, WIDTH, pnm, saved, tiff, turned, written
from penstock.ops.decode.headers import format_of, peek_shape

SHAPES = {
    "png": (lambda: saved(RGB, "PNG"), "PNG", 3),
    "png grey": (lambda: saved(GREY, "PNG"), "PNG", 1),
    "png grey 16": (lambda: written(GREY16, ".png"), "PNG", 1),
    "png alpha": (lambda: saved(RGBA, "PNG"), "PNG", 4),
    "png grey alpha": (lambda: saved(LA, "PNG"), "PNG", 2),
    "png bilevel": (lambda: saved(INK, "PNG"), "PNG", 1),
    "png palette": (lambda: saved(files.palette_image(), "PNG"), "PNG", 3),
    "png palette with a transparent colour": (lambda: saved(files.palette_image(), "PNG", transparency=3), "PNG", 3),
    "bmp": (lambda: saved(RGB, "BMP"), "BMP", 3),
    "bmp grey": (lambda: saved(GREY, "BMP"), "BMP", 1),
    "bmp palette": (lambda: saved(files.palette_image(), "BMP"), "BMP", 3),
    "bmp bilevel": (lambda: saved(INK, "BMP"), "BMP", 1),
    "bmp alpha": (lambda: written(RGBA, ".bmp"), "BMP", 4),
    "bmp from the top": (lambda: upside_down(saved(RGB, "BMP")), "BMP", 3),
    "pbm text": (lambda: pnm("P1\n# made by hand\n{w} {h}\n", b"0 " * (WIDTH * HEIGHT)), "PNM", 1),
    "pgm text": (lambda: pnm("P2 {w} {h} 255\n"), "PNM", 1),
    "ppm text": (lambda: pnm("P3\n{w}\n#a\n#b\n{h}\n255\n"), "PNM", 3),
    "pbm": (lambda: saved(INK, "PPM"), "PNM", 1),
    "pgm": (lambda: saved(GREY, "PPM"), "PNM", 1),
    "pgm 16": (lambda: written(GREY16, ".pgm"), "PNM", 1),
    "ppm": (lambda: saved(RGB, "PPM"), "PNM", 3),
    "tiff": (lambda: saved(RGB, "TIFF"), "TIFF", 3),
    "tiff big endian": (lambda: tiff(RGB16, order=">"), "TIFF", 3),
    "tiff of 64-bit offsets": (lambda: saved(RGB, "TIFF", big_tiff=True), "TIFF", 3),
    "tiff palette": (lambda: saved(files.palette_image(), "TIFF"), "TIFF", 3),
    "tiff bilevel": (lambda: saved(INK, "TIFF"), "TIFF", 1),
    "tiff grey alpha": (lambda: saved(LA, "TIFF"), "TIFF", 2),
    "webp lossy": (lambda: saved(RGB, "WEBP"), "WebP", 3),
    "webp lossless": (lambda: saved(RGB, "WEBP", lossless=True), "WebP", 3),
    "webp lossless alpha": (lambda: saved(RGBA, "WEBP", lossless=True), "WebP", 4),
    "webp lossy alpha": (lambda: saved(RGBA, "WEBP"), "WebP", 4),
    "webp extended": (lambda: saved(RGB, "WEBP", exif=turned(1)), "WebP", 3),
    "jp2": (lambda: saved(RGB, "JPEG2000"), "JPEG2000", 3),
    "jp2 grey": (lambda: saved(GREY, "JPEG2000"), "JPEG2000", 1),
    "jp2 codestream": (lambda: saved(RGBA, "JPEG2000", no_jp2=True), "JPEG2000", 4),
    "gif": (lambda: saved(files.palette_image(), "GIF"), "GIF", 3),
}
if files.OLDEST_OPENCV:
    del SHAPES["bmp alpha"]


def upside_down(bmp):
    turned = bmp.copy()
    turned[22:26] = np.frombuffer(struct.pack("<i", -HEIGHT), np.uint8)
    return turned


@pytest.mark.parametrize("kind", SHAPES)
def test_the_header_tells_format_and_shape(kind):
    make, image_format, channels = SHAPES[kind]
    data = make()
    assert format_of(data) == image_format
    assert peek_shape(data, adjust_orientation=True) == (HEIGHT, WIDTH, channels)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(10))
def test_orientations_from_five_on_swap_the_sides(kind, orientation):
    data = saved(RGB, kind, exif=turned(orientation))
    upright = (WIDTH, HEIGHT, 3) if 5 <= orientation <= 8 else (HEIGHT, WIDTH, 3)
    assert peek_shape(data, adjust_orientation=True) == upright
    assert peek_shape(data, adjust_orientation=False) == (HEIGHT, WIDTH, 3)


def test_exif_data_that_cannot_be_read_does_not_turn_the_image():
    data = saved(RGB, "PNG", exif=turned(6)).tobytes().replace(b"eXIfMM", b"eXIfXX").replace(b"eXIfII", b"eXIfXX")
    assert peek_shape(np.frombuffer(data, np.uint8), adjust_orientation=True) == (HEIGHT, WIDTH, 3)


def test_the_codestream_is_believed_over_the_box_that_repeats_its_size():
    data = saved(RGB, "JPEG2000").copy()
    at = data.tobytes().index(b"ihdr") + 4
    data[at : at + 8] = 1
    assert peek_shape(data, adjust_orientation=True) == (HEIGHT, WIDTH, 3)


def test_jpeg_is_recognised():
    assert format_of(saved(Image.fromarray(RGB), "JPEG")) == "JPEG"


@pytest.mark.parametrize("text", [b"hello, no image", b"\x89PNX\r\n\x1a\n", b"P9 1 1\n", b"\0"])
def test_an_unknown_format_is_shown_with_the_known_ones(text):
    data = np.frombuffer(text, np.uint8)
    assert format_of(data) is None
    with pytest.raises(RuntimeError, match=r"not an image format that is known: starts with b.*known: JPEG, PNG, BMP"):
        peek_shape(data, adjust_orientation=True)


def test_an_empty_file_is_called_empty():
    with pytest.raises(RuntimeError, match="the file is empty"):
        peek_shape(np.empty(0, np.uint8), adjust_orientation=True)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_header_cut_off_anywhere_is_read_or_refused(kind):
    make, image_format, channels = SHAPES[kind]
    data = make()
    for length in range(1, data.size):
        try:
            shape = peek_shape(data[:length], adjust_orientation=False)
        except RuntimeError:
            continue
        # A palette that is cut off may have lost its colours.
        assert shape[:2] == (HEIGHT, WIDTH)
        assert shape[2] == channels or image_format == "BMP"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 0, 5, 8, 2, 0, 0, 0), "an image of 5x0x3"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 1, 5, 8, 7, 0, 0, 0), "colour type 7"),
        (b"P6 x 3 255\n", "the PNM header is damaged"),
        (b"RIFF\0\0\0\0WEBPABCD" + bytes(20), "no picture starts with"),
        (b"II+\0\x08\0\0\0" + b"\xff" * 16, "the TIFF header is cut off or damaged"),
        (b"II*\0\x08\0\0\0\xff\xff", "reaches beyond the 10 bytes"),
        (b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x02ABCD", "box b'ABCD' of 2 bytes"),
    ],
)
def test_a_damaged_header_says_what_is_wrong(data, message):
    with pytest.raises(RuntimeError, match=message):
        peek_shape(np.frombuffer(data, np.uint8), adjust_orientation=True)
