"""Small image files of many kinds, made in memory."""

import io
import struct
import zlib

import cv2
import numpy as np
from PIL import Image

HEIGHT, WIDTH = 13, 17
_random = np.random.default_rng(0)
RGBA = _random.integers(0, 256, (HEIGHT, WIDTH, 4), dtype=np.uint8)
RGBA16 = _random.integers(0, 65536, (HEIGHT, WIDTH, 4), dtype=np.uint16)
RGB, GREY, LA = RGBA[..., :3], RGBA[..., :1], RGBA[..., :2]
RGB16, GREY16 = RGBA16[..., :3], RGBA16[..., :1]
FLOATS = _random.random((HEIGHT, WIDTH, 3), dtype=np.float32)
INK = GREY > 127


def saved(picture, kind, **options):
    """What Pillow writes for an image or an array."""
    if isinstance(picture, np.ndarray):
        picture = Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture)
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return np.frombuffer(file.getvalue(), np.uint8)


def written(picture, extension):
    """What OpenCV writes; for what Pillow cannot hold."""
    order = [[0], [0], [2, 1, 0], [2, 1, 0, 3]][picture.shape[2] - 1]
    return cv2.imencode(extension, picture[..., order])[1].ravel()


def palette_image():
    return Image.fromarray(RGB).quantize(16)


def turned(orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif


def pnm(header, picture=b""):
    return np.frombuffer(header.format(w=WIDTH, h=HEIGHT).encode() + bytes(picture), np.uint8)


def tiff(picture, *, order="<", planar=False, predictor=False, tile=0, photometric=None, orientation=1, extra=()):
    """A TIFF written tag by tag: any number of samples, either byte order, together or in planes, tiles deflated."""
    height, width, samples = picture.shape
    if predictor:
        picture = _differences(picture, tile or width)
    pieces = [piece.astype(picture.dtype.newbyteorder(order)).tobytes() for piece in _pieces(picture, planar, tile)]
    packed = predictor or tile > 0
    pieces = [zlib.compress(piece) for piece in pieces] if packed else pieces
    starts = [8 + sum(map(len, pieces[:i])) for i in range(len(pieces))]
    where, sizes = (324, 325) if tile else (273, 279)
    tags = {
        256: (width,), 257: (height,), 258: (picture.itemsize * 8,) * samples, 259: (8 if packed else 1,),
        262: (photometric if photometric is not None else 2 if samples > 2 else 1,),
        where: starts, sizes: [len(piece) for piece in pieces],
        274: (orientation,), 277: (samples,), 284: (2 if planar else 1,), 317: (2 if predictor else 1,),
        339: ({"u": 1, "i": 2, "f": 3}[picture.dtype.kind],) * samples,
    }  # fmt: skip
    tags |= {322: (tile,), 323: (tile,)} if tile else {278: (height,)}
    tags |= dict(extra) | ({338: (2,) * (samples - 3 if samples > 3 else samples - 1)} if samples in (2, 4, 5) else {})
    body = b"".join(pieces)
    body += b"\0" * (len(body) % 2)
    entries, tail, tail_at = b"", b"", 8 + len(body) + 2 + 12 * len(tags) + 4
    for tag in sorted(tags):
        values = struct.pack(f"{order}{len(tags[tag])}I", *tags[tag])
        if len(values) > 4:
            values, tail = struct.pack(order + "I", tail_at + len(tail)), tail + values
        entries += struct.pack(order + "HHI", tag, 4, len(tags[tag])) + values
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8 + len(body))
    directory = struct.pack(order + "H", len(tags)) + entries + bytes(4) + tail
    return np.frombuffer(head + body + directory, np.uint8)


def _pieces(picture, planar, tile):
    height, width, samples = picture.shape
    planes = [picture[..., i : i + 1] for i in range(samples)] if planar else [picture]
    if not tile:
        return planes
    padded = [np.pad(plane, [(0, -height % tile), (0, -width % tile), (0, 0)]) for plane in planes]
    return [
        p[y : y + tile, x : x + tile] for p in padded for y in range(0, height, tile) for x in range(0, width, tile)
    ]


def _differences(picture, step):
    result = picture.copy()
    for x in range(picture.shape[1]):
        if x % step:
            result[:, x] = picture[:, x] - picture[:, x - 1]
    return result


PALETTE = np.asarray(palette_image().convert("RGB"))
FIVE = np.concatenate([RGB, LA], axis=2)
MAP16 = np.arange(768, dtype=np.uint16) * 85
STORED = {
    "png": (lambda: saved(RGB, "PNG"), RGB),
    "png grey": (lambda: saved(GREY, "PNG"), GREY),
    "png alpha": (lambda: saved(RGBA, "PNG"), RGBA),
    "png grey alpha": (lambda: saved(LA, "PNG"), LA),
    "png bilevel": (lambda: saved(INK, "PNG"), INK * np.uint8(255)),
    "png palette": (lambda: saved(palette_image(), "PNG"), PALETTE),
    "png palette with a transparent colour": (lambda: saved(palette_image(), "PNG", transparency=3), PALETTE),
    "png 16": (lambda: written(RGB16, ".png"), RGB16),
    "png grey 16": (lambda: written(GREY16, ".png"), GREY16),
    "png alpha 16": (lambda: written(RGBA16, ".png"), RGBA16),
    "bmp": (lambda: saved(RGB, "BMP"), RGB),
    "bmp grey": (lambda: saved(GREY, "BMP"), GREY),
    "bmp palette": (lambda: saved(palette_image(), "BMP"), PALETTE),
    "bmp alpha": (lambda: written(RGBA, ".bmp"), RGBA),
    "ppm": (lambda: saved(RGB, "PPM"), RGB),
    "ppm text": (lambda: pnm("P3 {w} {h} 255\n", " ".join(map(str, RGB.ravel())).encode() + b"\n"), RGB),
    "pgm 16": (lambda: written(GREY16, ".pgm"), GREY16),
    "pbm": (lambda: saved(INK, "PPM"), INK * np.uint8(255)),
    "webp": (lambda: saved(RGB, "WEBP", lossless=True), RGB),
    "webp alpha": (lambda: saved(RGBA, "WEBP", lossless=True, exact=True), RGBA),
    "jp2": (lambda: saved(RGB, "JPEG2000"), RGB),
    "jp2 grey": (lambda: saved(GREY, "JPEG2000"), GREY),
    "jp2 alpha": (lambda: saved(RGBA, "JPEG2000"), RGBA),
    "jp2 codestream": (lambda: saved(RGB, "JPEG2000", no_jp2=True), RGB),
    "jp2 grey 16": (lambda: saved(GREY16, "JPEG2000"), GREY16),
    "gif": (lambda: saved(palette_image(), "GIF"), PALETTE),
    "tiff": (lambda: saved(RGB, "TIFF"), RGB),
    "tiff grey": (lambda: saved(GREY, "TIFF"), GREY),
    "tiff bilevel": (lambda: saved(INK, "TIFF"), INK * np.uint8(255)),
    "tiff lzw": (lambda: saved(RGB, "TIFF", compression="tiff_lzw"), RGB),
    "tiff deflate": (lambda: saved(RGBA, "TIFF", compression="tiff_adobe_deflate"), RGBA),
    "tiff of 64-bit offsets": (lambda: saved(RGBA, "TIFF", big_tiff=True), RGBA),
    "tiff 16": (lambda: tiff(RGB16), RGB16),
    "tiff 16 big endian": (lambda: tiff(RGB16, order=">"), RGB16),
    "tiff float": (lambda: tiff(FLOATS), FLOATS),
    "tiff alpha": (lambda: tiff(RGBA), RGBA),
    "tiff alpha 16 big endian": (lambda: tiff(RGBA16, order=">"), RGBA16),
    "tiff grey alpha": (lambda: saved(LA, "TIFF"), LA),
    "tiff of five": (lambda: tiff(FIVE), FIVE),
    "tiff of five in planes": (lambda: tiff(FIVE, planar=True), FIVE),
    "tiff of grey planes": (lambda: tiff(RGB, planar=True, photometric=1), RGB),
    "tiff planes": (lambda: tiff(RGB, planar=True), RGB),
    "tiff planes 16": (lambda: tiff(RGB16, planar=True), RGB16),
    "tiff planes 16 big endian": (lambda: tiff(RGB16, planar=True, order=">"), RGB16),
    "tiff tiles": (lambda: tiff(RGB, tile=16), RGB),
    "tiff tiles in planes": (lambda: tiff(RGBA16, tile=16, planar=True), RGBA16),
    "tiff palette": (
        lambda: tiff(GREY, photometric=3, extra={320: MAP16.tolist()}.items()),
        MAP16.reshape(3, 256).T[GREY[..., 0]],
    ),
}
# It writes no alpha into BMP, its wheels read no GIF, and JPEG 2000 is not decoded with it.
OLDEST_OPENCV = cv2.__version__.startswith("4.11.")
if OLDEST_OPENCV:
    STORED = {kind: file for kind, file in STORED.items() if not kind.startswith(("bmp alpha", "gif", "jp2"))}
