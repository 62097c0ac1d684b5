"""Image files: JPEG by the native core, the others behind our reading of their headers by OpenCV."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from struct import pack, unpack_from

import numpy as np
from PIL import Image

import penstock.dynamic as ndd
from fuzz.target import LIMIT, Target
from ops.decode.files import RGB, STORED, turned
from penstock.values.enums import ImageType


def jpegs() -> list[bytes]:
    """Baseline and progressive, grey, colour and CMYK, subsampled, with restarts, turned, without the last scans."""
    made = []
    options = [{}, {"progressive": True}, {"restart_marker_blocks": 1}, {"subsampling": 2, "exif": turned(6)}]
    options += [{"progressive": True, "quality": 95, "subsampling": k, "restart_marker_blocks": 2} for k in (0, 1)]
    for mode in ("L", "RGB", "CMYK"):
        for each in options:
            file = io.BytesIO()
            Image.fromarray(RGB).resize((40, 33)).convert(mode).save(file, "JPEG", **each)
            made.append(file.getvalue())
    file = io.BytesIO()  # large enough to be decoded by several threads
    Image.fromarray(RGB).resize((260, 256)).save(file, "JPEG", restart_marker_rows=1, subsampling=2)
    made.append(file.getvalue())
    whole = made[7]  # progressive, in colour
    last_scans = [place for place in range(len(whole)) if whole.startswith(b"\xff\xda", place)][3::3]
    return made + [whole[:place] + b"\xff\xd9" for place in last_scans]


def other_formats(*names: str) -> list[bytes]:
    return [make().tobytes() for name, (make, _) in STORED.items() if name.startswith(names)]


def decode(data: bytes, folder: Path) -> None:
    """Its size, whole, of which the sizes must agree, as small as is possible, and a window of it."""
    encoded = np.frombuffer(data, np.uint8)
    with ndd.EvalMode.sync_cpu:
        shape = np.asarray(ndd.peek_image_shape(encoded))
        kind = ImageType(zlib.crc32(data) % 5) if data else ImageType.RGB
        image = np.asarray(ndd.decoders.image(encoded, output_type=kind, max_bytes=LIMIT))
        if image.shape[:2] != tuple(shape[:2]):
            raise AssertionError(f"the header says {shape}, the image is {image.shape}")
        ndd.decoders.image(encoded, output_type=kind, min_size=(1, 1), max_bytes=LIMIT).evaluate()
        ndd.decoders.image_crop(encoded, crop=(1, 1), dtype=ndd.float32, max_bytes=LIMIT).evaluate()


def with_checksums(data: bytes) -> bytes:
    """A PNG whose chunks all have the checksums of their contents."""
    fixed, at = bytearray(data), 8
    while at + 12 <= len(data):
        (length,) = unpack_from(">I", data, at)
        if at + 12 + length > len(data):
            break
        fixed[at + 8 + length : at + 12 + length] = pack(">I", zlib.crc32(data[at + 4 : at + 8 + length]))
        at += 12 + length
    return bytes(fixed)


TARGETS = {
    "jpeg": Target(jpegs, decode),
    "png": Target(lambda: other_formats("png"), decode, repair=with_checksums),
    "tiff": Target(lambda: other_formats("tiff"), decode),
    "webp": Target(lambda: other_formats("webp"), decode),
    "jpeg2000": Target(lambda: other_formats("jp2"), decode),
    "bitmaps": Target(lambda: other_formats("bmp", "p", "gif"), decode),
}
