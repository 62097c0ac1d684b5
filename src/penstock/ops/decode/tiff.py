"""TIFF directories, and the samples of a TIFF as they are stored."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from struct import pack, unpack_from
from typing import Any, NamedTuple

import numpy as np

from penstock.ops.decode import opencv

Array = np.ndarray[Any, Any]

WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC = 256, 257, 258, 259, 262
STRIP_OFFSETS, ORIENTATION, SAMPLES, ROWS_PER_STRIP, STRIP_SIZES, PLANAR = 273, 274, 277, 278, 279, 284
PREDICTOR, COLOUR_MAP, TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_SIZES = 317, 320, 322, 323, 324, 325
SAMPLE_FORMAT = 339
STRIPS = (STRIP_OFFSETS, STRIP_SIZES, TILE_OFFSETS, TILE_SIZES)

WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE = 0, 1, 2, 3
PREDICTING = {5, 8, 32946}  # LZW, Deflate, old Deflate
BYTEWISE = {1, 32773} | PREDICTING  # no compression and PackBits: like the above they see bytes, not pixels
COMPRESSIONS = {2, 3, 4, 6, 7} | BYTEWISE  # fax and JPEG
WHOLE_NUMBERS = {1: "B", 3: "H", 4: "I", 16: "Q"}


class _Dialect(NamedTuple):
    """How the two versions of TIFF write a directory."""

    first: int  # where the header tells the directory's position
    offset: str
    length: str
    entry: str
    number: int  # the widest whole number type


_DIALECTS = {42: _Dialect(4, "I", "H", "HHI4s", 4), 43: _Dialect(8, "Q", "Q", "HHQ8s", 16)}


class Directory:
    """The first directory of a TIFF file, or of the EXIF block in another format."""

    def __init__(self, data: memoryview) -> None:
        mark, version = bytes(data[:2]), bytes(data[2:4])
        self.order = ">" if mark == b"MM" else "<"
        dialect = _DIALECTS.get(int.from_bytes(version, "big" if mark == b"MM" else "little"))
        if mark not in (b"II", b"MM") or dialect is None:
            raise RuntimeError(f"not a TIFF directory: starts with {mark + version!r}")
        self.data, self.dialect = data, dialect
        (start,) = unpack_from(self.order + dialect.offset, data, dialect.first)
        (length,) = unpack_from(self.order + dialect.length, data, start)
        start += struct.calcsize("=" + dialect.length)
        step = struct.calcsize("=" + dialect.entry)
        entries = range(start, start + length * step, step)
        unpack_from("B", data, entries.stop - 1)  # so that a wild length fails before it is walked
        self.positions = {unpack_from(self.order + "H", data, entry)[0]: entry for entry in entries}

    def numbers(self, tag: int, default: Sequence[int] = ()) -> Sequence[int]:
        position = self.positions.get(tag)
        if position is None:
            return default
        _, kind, count, inline = unpack_from(self.order + self.dialect.entry, self.data, position)
        if kind not in WHOLE_NUMBERS:
            raise RuntimeError(f"the TIFF directory is damaged: tag {tag} has type {kind}, not a whole number")
        values = f"{self.order}{count}{WHOLE_NUMBERS[kind]}"
        try:
            if struct.calcsize(values) <= len(inline):
                return unpack_from(values, inline)
            return unpack_from(values, self.data, unpack_from(self.order + self.dialect.offset, inline)[0])
        except (struct.error, OverflowError) as error:  # also of counts and offsets that no integer of C holds
            raise RuntimeError(f"the TIFF directory is damaged: the values of tag {tag}: {error}") from None

    def number(self, tag: int, default: int) -> int:
        return next(iter(self.numbers(tag)), default)

    @property
    def shape(self) -> tuple[int, int, int]:
        channels = 3 if self.number(PHOTOMETRIC, BLACK_IS_ZERO) == PALETTE else self.number(SAMPLES, 1)
        return self.number(HEIGHT, 0), self.number(WIDTH, 0), channels

    def require_readable(self) -> None:
        """OpenCV gives black where libtiff fails, and in the rewritten file there is more to read after the end."""
        compression = self.number(COMPRESSION, 1)
        if compression not in COMPRESSIONS:
            known = ", ".join(map(str, sorted(COMPRESSIONS)))
            raise RuntimeError(f"TIFF compression {compression} is not supported; the numbers of the known: {known}")
        for offsets, sizes in ((STRIP_OFFSETS, STRIP_SIZES), (TILE_OFFSETS, TILE_SIZES)):
            end = max((sum(span) for span in zip(self.numbers(offsets), self.numbers(sizes), strict=False)), default=0)
            if end > len(self.data):
                raise RuntimeError(f"the TIFF is cut off: {end} bytes are needed, {len(self.data)} are there")

    def rewritten(self, keep: Collection[int], changes: Mapping[int, Sequence[int]]) -> Array:
        """The file with another directory put at its end: the kept tags as they are and the changed ones."""
        order, dialect = self.order, self.dialect
        start = len(self.data) + len(self.data) % 2
        tags = sorted({*keep, *changes} & {*self.positions, *changes})
        entry_bytes = struct.calcsize("=" + dialect.entry)
        tail_at = start + struct.calcsize(f"={dialect.length}{dialect.offset}") + len(tags) * entry_bytes
        entries, tail = b"", b""
        for tag in tags:
            if tag not in changes:
                entries += self.data[self.positions[tag] : self.positions[tag] + entry_bytes]
                continue
            value = pack(f"{order}{len(changes[tag])}{dialect.offset}", *changes[tag])
            if len(changes[tag]) > 1:
                value, tail = pack(order + dialect.offset, tail_at + len(tail)), tail + value
            entries += pack(order + dialect.entry, tag, dialect.number, len(changes[tag]), value)
        directory = pack(order + dialect.length, len(tags)) + entries + pack(order + dialect.offset, 0) + tail
        file = np.zeros(start + len(directory), np.uint8)
        file[: len(self.data)] = self.data
        file[start:] = np.frombuffer(directory, np.uint8)
        file[dialect.first :][: struct.calcsize("=" + dialect.offset)] = np.frombuffer(
            pack(order + dialect.offset, start), np.uint8
        )
        return file

    def decode(self, file: Array) -> Array:
        import cv2

        kind = f"TIFF ({self.number(SAMPLES, 1)} samples of {self.number(BITS, 1)} bits)"
        return opencv.decode(file, cv2.IMREAD_UNCHANGED, kind)


def stored_samples(file: Directory) -> Array | None:
    """Height, width, channels as stored, or None where OpenCV gives just that or only the codec could.

    Left alone, OpenCV multiplies colours by alpha, mixes up 16-bit planes and refuses two or five channels; rows of
    single samples it reads well, so each plane is described to it as a grey image.
    """
    bits, photometric, samples = file.number(BITS, 1), file.number(PHOTOMETRIC, BLACK_IS_ZERO), file.number(SAMPLES, 1)
    planes = samples if samples > 1 and file.number(PLANAR, 1) == 2 else 1
    together, compression = samples // planes, file.number(COMPRESSION, 1)
    predictor = file.number(PREDICTOR, 1) if compression in PREDICTING else 1
    plain = (samples == 1 and photometric != PALETTE) or (samples == 3 and photometric == RGB)
    if (
        (plain and (planes == 1 or bits == 8))
        or photometric not in (WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE)
        or bits not in ((8,) if photometric == PALETTE else (8, 16, 32, 64))
        or (photometric == PALETTE and samples != 1)
        or compression not in BYTEWISE
        or (together > 1 and predictor > 2)
    ):
        return None
    image = np.concatenate([_plane(file, plane, planes, together) for plane in range(planes)], axis=2)
    if together > 1 and predictor == 2:
        _undo_differences(image, file.number(TILE_WIDTH, image.shape[1]))
    if photometric == PALETTE:
        colours = np.array(file.numbers(COLOUR_MAP), np.uint16)
        if colours.size != 3 * 256:
            raise RuntimeError(f"the TIFF is damaged: a palette of {colours.size} values, not 768")
        image = colours.reshape(3, 256).T[image[..., 0]]
    return image


def _plane(file: Directory, plane: int, planes: int, together: int) -> Array:
    keep = {HEIGHT, COMPRESSION, ROWS_PER_STRIP, TILE_HEIGHT, *STRIPS}
    if together == 1:
        keep.add(PREDICTOR)
    changes = {
        tag: [value * together for value in file.numbers(tag)] for tag in (WIDTH, TILE_WIDTH) if tag in file.positions
    }
    changes |= {BITS: [file.number(BITS, 1)], SAMPLE_FORMAT: [file.number(SAMPLE_FORMAT, 1)]}
    changes |= {PHOTOMETRIC: [BLACK_IS_ZERO], SAMPLES: [1]}
    for tag in {*STRIPS} & file.positions.keys() if planes > 1 else ():
        values = file.numbers(tag)
        each = len(values) // planes
        if each * planes != len(values) or each == 0:
            raise RuntimeError(f"the TIFF directory is damaged: {len(values)} strips in {planes} planes")
        changes[tag] = list(values[plane * each : (plane + 1) * each])
    rows = file.decode(file.rewritten(keep, changes))
    height, width, _ = file.shape
    if rows.shape != (height, width * together, 1):
        raise RuntimeError(f"the TIFF is damaged: its header says {file.shape}, its data {rows.shape}")
    return rows.reshape(height, width, together)


def _undo_differences(image: Array, step: int) -> None:
    """The predictor restarts at each tile; sums wrap as the differences did."""
    for x in range(0, image.shape[1], step):
        part = image[:, x : x + step]
        np.cumsum(part, axis=1, dtype=image.dtype, out=part)
