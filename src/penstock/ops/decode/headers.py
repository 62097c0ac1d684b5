"""What an image file says of itself before anything is decoded: its format, shape and orientation.

Offsets found in a file are read with `struct`, which refuses to leave the buffer; JPEG is read by the native core.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from struct import unpack_from
from typing import Any

import numpy as np

from penstock.ops.decode.tiff import Directory

Array = np.ndarray[Any, Any]
Shape = tuple[int, int, int]

_SIGNATURES = re.compile(
    rb"(?P<JPEG>\xff\xd8\xff)|(?P<PNG>\x89PNG\r\n\x1a\n)|(?P<BMP>BM)|(?P<PNM>P[1-6][\s#])|(?P<TIFF>II[*+]\0|MM\0[*+])"
    rb"|(?P<WebP>RIFF.{4}WEBP)|(?P<JPEG2000>\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51)|(?P<GIF>GIF8[79]a)",
    re.DOTALL,
)
OUT_OF_BOUNDS = (struct.error, OverflowError)  # how `struct` refuses an offset, how Python refuses a wilder one
_BITS, _ORIENTATION, _SAMPLES = 258, 274, 277
_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_PNG_SAMPLES = {**_PNG_CHANNELS, 3: 1}  # a place in the palette
_MOST_DEFLATED = 1032  # bytes that one of deflated data can stand for: 258 for every two bits


def format_of(data: Array) -> str | None:
    """The name of the format whose signature `data` starts with."""
    found = _SIGNATURES.match(data.data)
    return found.lastgroup if found else None


def known_format(data: Array) -> str:
    """The same; RuntimeError when no format is recognised."""
    if data.size == 0:
        raise RuntimeError("the file is empty")
    found = format_of(data)
    if found is None:
        start, known = data[:8].tobytes(), ", ".join(_SIGNATURES.groupindex)
        raise RuntimeError(f"not an image format that is known: starts with {start!r}; known: {known}")
    return found


def peek_shape(data: Array, *, adjust_orientation: bool) -> Shape:
    """Height, width and stored channels, read from the header; palettes count as the colours they hold."""
    view = data.data
    image_format = known_format(data)
    height, width, channels = stored_shape(view, image_format)
    turned = adjust_orientation and orientation_of(view, image_format) >= 5
    return (width, height, channels) if turned else (height, width, channels)


def stored_shape(view: memoryview, image_format: str) -> Shape:
    """The shape before any turn the orientation asks for."""
    try:
        height, width, channels = _SHAPES[image_format](view)
    except OUT_OF_BOUNDS:
        message = (
            f"the {image_format} header is cut off or damaged: it reaches beyond the {len(view)} bytes of the file"
        )
        raise RuntimeError(message) from None
    if height <= 0 or width <= 0 or channels <= 0:
        raise RuntimeError(f"the {image_format} header is damaged: an image of {height}x{width}x{channels}")
    return height, width, channels


def sample_bytes(view: memoryview, image_format: str) -> int:
    """How many bytes each sample of a pixel takes once it is decoded."""
    if image_format == "PNG":
        return 2 if view[24] == 16 else 1
    if image_format == "TIFF":
        file = Directory(view)
        return 2 if file.shape[2] != file.number(_SAMPLES, 1) else -(-file.number(_BITS, 1) // 8)
    if image_format == "PNM":
        return 2 if _pnm_numbers(view)[3] > 255 else 1
    return 4 if image_format == "JPEG2000" else 1  # whose decoder holds 32-bit numbers, however few bits are meant


def require_enough_data(view: memoryview, image_format: str) -> None:
    """Refuses files that are too short for the size in their header, before there is memory for all of it."""
    if image_format == "PNG":
        width, height, bits, colour = unpack_from(">IIBB", view, 16)
        least = height * (1 + width * bits * _PNG_SAMPLES[colour] // 8) // _MOST_DEFLATED
    elif image_format == "PNM":
        kind, width, height, most = _pnm_numbers(view)
        samples = width * height * (3 if kind in (3, 6) else 1)
        least = (width + 7) // 8 * height if kind == 4 else samples * (2 if kind > 4 and most > 255 else 1)
    elif image_format == "BMP":
        height, width, _ = _bmp(view)
        bits, compression = unpack_from("<HI", view, 28) if view[14] != 12 else (*unpack_from("<H", view, 24), 0)
        least = height * (width * bits // 8) if compression in (0, 3) else 0  # the others are runs of equal pixels
    else:
        return
    if least > len(view):
        raise RuntimeError(
            f"the {image_format} is cut off: an image of {height}x{width} takes at least {least} bytes, the file has "
            f"{len(view)}"
        )


def orientation_of(view: memoryview, image_format: str) -> int:
    """The EXIF orientation, 1 to 8; what cannot be read does not turn the image."""
    try:
        if image_format == "TIFF":
            found = Directory(view).number(_ORIENTATION, 1)
        elif image_format in _EXIF_BLOCKS:
            block = _EXIF_BLOCKS[image_format](view)
            found = Directory(block).number(_ORIENTATION, 1) if block else 1
        else:
            found = 1
    except (*OUT_OF_BOUNDS, RuntimeError):
        return 1
    return found if 1 <= found <= 8 else 1


def png_chunks(view: memoryview) -> Iterator[tuple[bytes, int, int]]:
    """Name, start and end of each chunk's content, up to the last one."""
    name, end = b"", 4
    while name != b"IEND":
        length, name = unpack_from(">I4s", view, end + 4)
        start, end = end + 12, end + 12 + length
        yield name, start, end


def _png(view: memoryview) -> Shape:
    name, width, height, bits, colour = unpack_from(">4sIIBB", view, 12)
    channels = _PNG_CHANNELS.get(colour)
    if name != b"IHDR" or channels is None or bits not in (1, 2, 4, 8, 16):
        raise RuntimeError(f"the PNG header is damaged: {name!r} with {bits} bits of colour type {colour}")
    return height, width, channels


def _png_exif(view: memoryview) -> memoryview | None:
    return next((view[start:end] for name, start, end in png_chunks(view) if name == b"eXIf"), None)


def _bmp(view: memoryview) -> Shape:
    (size,) = unpack_from("<I", view, 14)
    old = size == 12  # the header of OS/2: 16-bit sizes, three bytes to a palette entry
    width, height, _, bits = unpack_from("<HHHH" if old else "<iiHH", view, 18)
    compression, used, alpha = 0, 0, 0
    if not old:
        compression, used = unpack_from("<I12xI", view, 30)
    if bits == 32 and compression == 3 and size >= 56:
        (alpha,) = unpack_from("<I", view, 66)
    channels = 4 if alpha else 3
    if bits <= 8:
        count, step = (used or 1 << bits), 3 if old else 4
        palette = np.frombuffer(view[14 + size :][: min(count, 256) * step], np.uint8)
        colours = palette[: palette.size // step * step].reshape(-1, step)[:, :3]
        channels = 3 if (colours != colours[:, :1]).any() else 1
    return abs(height), width, channels


def _pnm(view: memoryview) -> Shape:
    kind, width, height, _ = _pnm_numbers(view)
    return height, width, 3 if kind in (3, 6) else 1


def _pnm_numbers(view: memoryview) -> tuple[int, int, int, int]:
    """Kind, width, height and the largest value a sample may have."""
    gap = rb"(?:\s|#[^\n]*\n)+"
    found = re.match(rb"P([1-6])" + gap + rb"(\d{1,9})" + gap + rb"(\d{1,9})(?=\s)(?:" + gap + rb"(\d{1,9})\s)?", view)
    if found is None:
        raise RuntimeError(f"the PNM header is damaged or cut off: {bytes(view[:16])!r}")
    kind, width, height = map(int, found.groups()[:3])
    return kind, width, height, 1 if kind in (1, 4) else int(found[4] or 255)


def _tiff(view: memoryview) -> Shape:
    return Directory(view).shape


def _webp(view: memoryview) -> Shape:
    (kind,) = unpack_from("4s", view, 12)
    if kind == b"VP8X":
        flags, low_w, high_w, low_h, high_h = unpack_from("<B3xHBHB", view, 20)
        return (low_h | high_h << 16) + 1, (low_w | high_w << 16) + 1, 4 if flags & 0x10 else 3
    if kind == b"VP8L":
        magic, bits = unpack_from("<BI", view, 20)
        if magic == 0x2F:
            return (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1, 4 if bits >> 28 & 1 else 3
    if kind == b"VP8 ":
        magic, width, height = unpack_from("<3x3sHH", view, 20)
        if magic == b"\x9d\x01\x2a":
            return height & 0x3FFF, width & 0x3FFF, 3
    raise RuntimeError(f"the WebP header is damaged: no picture starts with {bytes(view[12:32])!r}")


def _webp_exif(view: memoryview) -> memoryview | None:
    position = 12
    while position < len(view):
        name, length = unpack_from("<4sI", view, position)
        if name == b"EXIF":
            block = view[position + 8 : position + 8 + length]
            return block[6:] if bytes(block[:6]) == b"Exif\0\0" else block
        position += 8 + length + length % 2
    return None


def _jpeg2000(view: memoryview) -> Shape:
    """The size comes from the codestream, which is what is decoded, not from the box that repeats it."""
    palette, position = 0, 0
    while bytes(view[position : position + 4]) != b"\xff\x4f\xff\x51":
        length, name = unpack_from(">I4s", view, position)
        head = 8
        if length == 1:
            (length,), head = unpack_from(">Q", view, position + 8), 16
        if name == b"pclr":
            (palette,) = unpack_from(">2xB", view, position + head)
        if name in (b"jp2h", b"jp2c"):
            position += head
        elif length >= head:
            position += length
        else:
            raise RuntimeError(f"the JPEG2000 header is damaged: box {name!r} of {length} bytes")
    right, bottom, left, top, components = unpack_from(">IIII16xH", view, position + 8)
    return bottom - top, right - left, palette or components


def _gif(view: memoryview) -> Shape:
    width, height = unpack_from("<HH", view, 6)
    return height, width, 3


def _jpeg(view: memoryview) -> Shape:
    raise RuntimeError("JPEG is read by the native core")


_SHAPES: dict[str, Callable[[memoryview], Shape]] = {
    "JPEG": _jpeg,
    "PNG": _png,
    "BMP": _bmp,
    "PNM": _pnm,
    "TIFF": _tiff,
    "WebP": _webp,
    "JPEG2000": _jpeg2000,
    "GIF": _gif,
}
_EXIF_BLOCKS: dict[str, Callable[[memoryview], memoryview | None]] = {"PNG": _png_exif, "WebP": _webp_exif}
