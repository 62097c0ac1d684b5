"""`max_bytes`: what a header promises is held against a limit before there is memory for it."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from ops.audio.sounds import encoded, tone
from ops.decode.files import RGB, saved
from penstock import types
from penstock._native import arena_use
from video.clips import clip

HUFFMAN = b"\xff\xc4" + struct.pack(
    ">H", 2 + 2 * 18
)  # two tables with one code each, a single bit: nothing, or the end
TABLES = HUFFMAN + b"".join(bytes([kind, 1, *[0] * 15, 0]) for kind in (0x00, 0x10))
QUANTA = b"\xff\xdb" + struct.pack(">H", 67) + b"\0" + bytes([1] * 64)


def segment(marker: int, contents: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", 2 + len(contents)) + contents


def shortest_jpeg(height: int, width: int, data: bytes, marker: int = 0xC0, components: int = 1) -> np.ndarray:
    """A JPEG whose Huffman codes are all of one bit, with these entropy-coded data."""
    ids = range(1, components + 1)
    frame = struct.pack(">BHHB", 8, height, width, components) + b"".join(bytes([k, 0x11, 0]) for k in ids)
    last = 0 if marker == 0xC2 else 63
    scan = bytes([components]) + b"".join(bytes([k, 0]) for k in ids) + bytes([0, last, 0])
    head = b"\xff\xd8" + QUANTA + segment(marker, frame) + TABLES + segment(0xDA, scan)
    return np.frombuffer(head + data + b"\xff\xd9", np.uint8)


def peak_after(data: np.ndarray, **arguments: object) -> int:
    """Decodes what must be refused; how many bytes the arena got for that, less what was given back meanwhile."""
    before = sum(arena_use())
    with pytest.raises(RuntimeError):
        ndd.decoders.image(ndd.batch([data]), **arguments).evaluate()
    return sum(arena_use()) - before


@pytest.mark.parametrize(("marker", "bits"), [(0xC0, 2), (0xC1, 2), (0xC2, 1)], ids=["baseline", "extended", "DC scan"])
@pytest.mark.parametrize("components", [1, 3])
def test_the_shortest_jpeg_there_can_be_is_decoded_and_a_shorter_one_refused(marker, bits, components):
    height, width = 250, 509  # 32 x 64 blocks
    shortest = bytes(32 * 64 * components * bits // 8)
    image = np.asarray(ndd.decoders.image(shortest_jpeg(height, width, shortest, marker, components)))
    assert image.shape == (height, width, 3)
    assert len(np.unique(image)) == 1
    cut = shortest_jpeg(height, width, shortest[:-3], marker, components)  # the end marker makes up for two
    with pytest.raises(RuntimeError, match=rf"the JPEG ends early: an image of 250x509x{components} takes at least"):
        ndd.decoders.image(cut).evaluate()


def test_a_small_file_with_a_large_header_takes_no_memory():
    assert peak_after(shortest_jpeg(16384, 16384, bytes(1900))) <= 0
    assert peak_after(shortest_jpeg(16384, 16384, bytes(1900), 0xC2, 3)) <= 0


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 1}, {"subsampling": "4:2:0"}])
@pytest.mark.parametrize("shape", [(1, 1), (7, 1001), (1501, 2003)])
@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_an_image_of_one_colour_is_never_too_short(mode, shape, options):
    file = io.BytesIO()
    Image.new(mode, shape[::-1], 77 if mode == "L" else (77,) * len(mode)).save(
        file, "JPEG", quality=1, optimize=True, **options
    )
    image = ndd.decoders.image(np.frombuffer(file.getvalue(), np.uint8), output_type=types.ANY_DATA)
    assert image.shape == (*shape, len(mode))


def test_the_limit_of_a_jpeg_counts_what_decoding_takes():
    def taken(picture: np.ndarray, needed: int, **arguments: object) -> None:
        ndd.decoders.image(picture, max_bytes=needed, **arguments).evaluate()
        with pytest.raises(
            RuntimeError, match=rf"would take {needed} bytes of memory, more than the limit of {needed - 1};"
        ):
            ndd.decoders.image(picture, max_bytes=needed - 1, **arguments).evaluate()

    pixels = 64 * 48
    picture = Image.new("RGB", (64, 48))
    exif = Image.Exif()
    exif[0x112] = 6
    plain, turned = saved(picture, "JPEG", subsampling=0), saved(picture, "JPEG", subsampling=0, exif=exif)
    taken(plain, 3 * pixels)
    taken(plain, 15 * pixels, dtype=ndd.float32)  # the result and the bytes it is made of
    taken(turned, 6 * pixels)
    coefficients = 17 * 3 * pixels // 8  # two bytes to each, and a bit
    taken(saved(picture, "JPEG", subsampling=0, progressive=True), 3 * pixels + coefficients)
    assert ndd.decoders.image_crop(plain, crop=(4, 4), max_bytes=48).shape == (4, 4, 3)


def test_the_environment_sets_the_limit_and_an_argument_overrules_it(monkeypatch):
    data = saved(RGB, "PNG")
    monkeypatch.setenv("PENSTOCK_MAX_BYTES", "100")
    with pytest.raises(RuntimeError, match="more than the limit of 100; raise max_bytes, or PENSTOCK_MAX_BYTES"):
        ndd.decoders.image(data).evaluate()
    ndd.decoders.image(data, max_bytes=1 << 20).evaluate()
    monkeypatch.setenv("PENSTOCK_MAX_BYTES", "9" * 30)  # more than there is: no limit
    ndd.decoders.image(data).evaluate()
    ndd.decoders.image(data, max_bytes=10**30).evaluate()
    monkeypatch.setenv("PENSTOCK_MAX_BYTES", "lots")
    with pytest.raises(ValueError, match="PENSTOCK_MAX_BYTES must be a whole number of bytes, at least 1, got 'lots'"):
        ndd.decoders.image(data).evaluate()
    monkeypatch.delenv("PENSTOCK_MAX_BYTES")
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        ndd.decoders.image(data, max_bytes=0)


def numpy_file(array: np.ndarray) -> np.ndarray:
    file = io.BytesIO()
    np.save(file, array)
    return np.frombuffer(file.getvalue(), np.uint8)


DECODERS = {
    "image": (lambda **limit: ndd.decoders.image(saved(RGB, "WEBP"), **limit), 6 * RGB[..., 0].size),
    "numpy": (lambda **limit: ndd.decoders.numpy(numpy_file(np.zeros(10)), **limit), 80),
    "numpy by columns": (
        lambda **limit: ndd.decoders.numpy(numpy_file(np.zeros((4, 5), order="F")), **limit),
        2 * 8 * 20,
    ),
    "FLAC": (lambda **limit: ndd.decoders.audio(encoded(tone(800), "FLAC"), **limit)[0], 4 * 800),
    "WAV": (lambda **limit: ndd.decoders.audio(encoded(tone(800, 2)), dtype=ndd.int16, **limit)[0], 2 * 2 * 800),
    "resampled OGG": (
        lambda **limit: ndd.decoders.audio(encoded(tone(800), "OGG", "VORBIS"), sample_rate=8000, **limit)[0],
        4 * (800 + 400),
    ),
    "LZ4": (lambda **limit: ndd.decoders.inflate(np.array([0x50, *b"12345"], np.uint8), shape=[5], **limit), 5),
    "chunks of LZ4": (
        lambda **limit: ndd.decoders.inflate(
            np.array([0x10, 1, 0x10, 2], np.uint8), shape=[1], chunk_sizes=[2, 2], **limit
        ),
        2,
    ),
    "video": (
        lambda **limit: ndd.decoders.video(
            np.frombuffer(clip("mjpeg", "avi", 9, pixels="yuvj420p"), np.uint8), **limit
        ),
        None,
    ),
}


@pytest.mark.parametrize("kind", DECODERS)
def test_every_decoder_has_a_limit(kind):
    decode, needed = DECODERS[kind]
    if needed is None:
        needed = int(np.prod(decode().shape))
    decode(max_bytes=needed).evaluate()
    with pytest.raises(
        RuntimeError, match=rf"would take {needed} bytes of memory, more than the limit of {needed - 1};"
    ):
        decode(max_bytes=needed - 1).evaluate()


def test_a_batch_goes_on_without_the_sample_that_is_too_large():
    small, large = (np.frombuffer(clip("mjpeg", "avi", count, pixels="yuvj420p"), np.uint8) for count in (4, 9))
    frames = ndd.decoders.video(ndd.batch([small]))
    limit = int(np.prod(frames.shape[0]))
    errors: list = []
    clips, kept = ndd.decoders.video(ndd.batch([large, small]), max_bytes=limit, on_error="skip", errors=errors)
    assert list(kept) == [1]
    assert clips.shape == frames.shape
    assert f"more than the limit of {limit}" in str(errors[0].error)


def test_a_frame_larger_than_the_first_is_not_decoded_beyond_the_limit():
    small, large = (saved(Image.new("RGB", (n, n)), "JPEG").tobytes() for n in (32, 3000))
    video = np.frombuffer(small * 3 + large, np.uint8)
    with pytest.raises(RuntimeError, match=r"frame 3, .* is 3000x3000, frames before it were 32x32"):
        ndd.decoders.video(video, max_bytes=8 * 3000 * 3000).evaluate()
    with pytest.raises(RuntimeError, match=r"frame 3, .* cannot be decoded"):
        ndd.decoders.video(video, max_bytes=20_000_000).evaluate()
