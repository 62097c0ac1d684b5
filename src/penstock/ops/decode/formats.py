"""Decoding of every image format but JPEG, and the way from stored samples to the colours and dtype asked for."""

from __future__ import annotations

import zlib
from struct import unpack_from
from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.decode import opencv, tiff
from penstock.ops.decode.headers import (
    OUT_OF_BOUNDS,
    known_format,
    orientation_of,
    png_chunks,
    require_enough_data,
    sample_bytes,
    stored_shape,
)
from penstock.ops.single_sample import run_steps
from penstock.values import dtypes, memory_limit
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType
from penstock.values.enums import ImageType

Array = np.ndarray[Any, Any]

OUTPUT_DTYPES = (
    dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16, dtypes.uint32, dtypes.int32, dtypes.float32,
)  # fmt: skip
OPENCV_COLOURS = (np.uint8, np.uint16, np.float32)  # what cvtColor takes, ten times as fast as NumPy
PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
LUMA = (np.float32(0.299), np.float32(0.587), np.float32(0.114))
# ITU-R BT.601 in its studio range, as shares of the full range; the last column is the level of black.
YCBCR = np.array(
    [
        [0.25678824, 0.50412941, 0.09790588, 1 / 16],
        [-0.14822290, -0.29099279, 0.43921569, 1 / 2],
        [0.43921569, -0.36778831, -0.07142737, 1 / 2],
    ]
)


def decode_image(
    data: Array,
    *,
    adjust_orientation: bool,
    output_type: ImageType = ImageType.ANY_DATA,
    dtype: DType = dtypes.uint8,
    max_bytes: int = memory_limit.DEFAULT,
) -> Array:
    """Height, width, channels of the first picture in `data`, in the order R, G, B, A and the dtype they are stored in.

    `output_type` only lets the codec leave out what `to_colour` would drop: alpha, or colours where grey is wanted.
    Refused is what would take more than `max_bytes` to be decoded and made `dtype`.
    """
    view = data.data
    image_format = known_format(data)
    shape = stored_shape(view, image_format)
    require_enough_data(view, image_format)
    _require_affordable(shape, image_format, sample_bytes(view, image_format), output_type, dtype, max_bytes)
    image = _decode_tiff(view) if image_format == "TIFF" else _decode(view, image_format, shape[2], output_type)
    foretold = shape if output_type is ImageType.ANY_DATA else shape[:2]
    if image.shape[: len(foretold)] != foretold:
        raise RuntimeError(f"the {image_format} is damaged: its header says {shape}, its data {image.shape}")
    return turned_upright(image, orientation_of(view, image_format)) if adjust_orientation else image


def _require_affordable(
    shape: tuple[int, int, int], image_format: str, item: int, output_type: ImageType, dtype: DType, max_bytes: int
) -> None:
    """The image is there twice at a time: while its colours are put in order, and while it is converted."""
    height, width, channels = shape
    made = channels if output_type is ImageType.ANY_DATA else 1 if output_type is ImageType.GRAY else 3
    needed = 2 * height * width * max(channels * item, made * dtype.storage.itemsize)
    if needed > max_bytes:
        _native.require_memory(f"decoding the {image_format} of {height}x{width}x{channels}", needed, max_bytes)


def _decode(view: memoryview, image_format: str, channels: int, output_type: ImageType) -> Array:
    import cv2

    as_stored = output_type is ImageType.ANY_DATA
    if output_type is ImageType.GRAY or channels == 1 or (channels == 2 and not as_stored):
        flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION
    elif as_stored and channels != 3:
        flags = cv2.IMREAD_UNCHANGED
    else:
        flags = cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION
    data = _pixel_chunks(view) if image_format == "PNG" else np.frombuffer(view, np.uint8)
    image = _red_and_blue_swapped(opencv.decode(data, flags, image_format))
    return np.ascontiguousarray(image[..., ::3]) if channels == 2 and image.shape[2] == 4 else image


def _decode_tiff(view: memoryview) -> Array:
    try:
        file = tiff.Directory(view)
        file.require_readable()
        image = tiff.stored_samples(file)
        if image is None:
            upright = file.rewritten(file.positions.keys() - {tiff.ORIENTATION}, {})
            image = _red_and_blue_swapped(file.decode(upright))
    except OUT_OF_BOUNDS:
        message = f"the TIFF is cut off or damaged: it points beyond the {len(view)} bytes of the file"
        raise RuntimeError(message) from None
    return image


def _pixel_chunks(view: memoryview) -> Array:
    """The PNG without transparency keys, profiles, texts and animation: libpng warns about bad ones on stderr."""
    kept = [view[:8]]
    try:
        for name, start, end in png_chunks(view):
            if not name[:1].isupper() or name == b"IEND":
                continue
            (checksum,) = unpack_from(">I", view, end)
            if checksum != zlib.crc32(view[start - 4 : end]):
                raise RuntimeError(f"the PNG is damaged: wrong checksum of chunk {name!r} at byte {start - 8}")
            kept.append(view[start - 8 : end + 4])
    except OUT_OF_BOUNDS:
        raise RuntimeError(f"the PNG is cut off: it goes on beyond the {len(view)} bytes of the file") from None
    return np.frombuffer(b"".join([*kept, PNG_END]), np.uint8)


def _red_and_blue_swapped(image: Array) -> Array:
    import cv2

    if image.shape[2] < 3:
        return image
    code = cv2.COLOR_BGR2RGB if image.shape[2] == 3 else cv2.COLOR_BGRA2RGBA
    if image.dtype in OPENCV_COLOURS:
        return np.asarray(cv2.cvtColor(image, code))
    return np.take(image, [2, 1, 0, 3][: image.shape[2]], axis=2)


def turned_upright(image: Array, orientation: int) -> Array:
    """Undoes an EXIF orientation of 1 to 8."""
    if orientation >= 5:
        image = image.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    return np.ascontiguousarray(image)


def to_colour(image: Array, output_type: ImageType, dtype: DType) -> Array:
    """Converts a decoded image to other colours and stretches it to the full range of another dtype."""
    if dtype not in OUTPUT_DTYPES:
        raise RuntimeError(f"Unsupported output type: {dtype}; known: {', '.join(map(str, OUTPUT_DTYPES))}")
    with np.errstate(over="ignore", invalid="ignore"):
        return _converted(image, output_type, dtype.storage)


def _converted(image: Array, output_type: ImageType, target: np.dtype[Any]) -> Array:
    grey = image.shape[2] < 3
    if output_type is ImageType.ANY_DATA:
        return _stretched(image, target)
    if output_type is ImageType.GRAY:
        return _stretched(image[..., :1] if grey else _luma(image), target)
    colours = _grey_as_colours(image[..., :1]) if grey else image[..., :3]
    if output_type is ImageType.YCbCr:
        return _ycbcr(colours, target)
    if output_type is ImageType.BGR:
        colours = _red_and_blue_swapped(np.ascontiguousarray(colours))
    return _stretched(colours, target)


def _grey_as_colours(grey: Array) -> Array:
    import cv2

    if grey.dtype in OPENCV_COLOURS:
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB))
    return np.repeat(grey, 3, axis=2)


def _luma(image: Array) -> Array:
    red, green, blue = (image[..., i : i + 1] * weight for i, weight in enumerate(LUMA))
    return _rounded(red + green + blue, image.dtype)


def _ycbcr(colours: Array, target: np.dtype[Any]) -> Array:
    matrix = YCBCR * (_full_range(target) / _full_range(colours.dtype))
    matrix[:, 3] = YCBCR[:, 3] * (1 if target.kind == "f" else _full_range(target) + 1)
    step = _native.ColorMatrix(DType.by_numpy[target].code, matrix.astype(np.float32).reshape(1, 12))
    return run_steps(_native.Samples.wrap_one(np.ascontiguousarray(colours)), step)


def _stretched(image: Array, target: np.dtype[Any]) -> Array:
    import cv2

    ratio = _full_range(target) / _full_range(image.dtype)
    if image.dtype == target:
        return np.ascontiguousarray(image)
    if target.kind == "f" or (image.dtype == np.uint8 and target == np.uint16):
        return np.asarray(np.multiply(image, target.type(ratio), dtype=target, casting="unsafe"))
    if image.dtype == np.uint16 and target == np.uint8:
        return np.asarray(cv2.convertScaleAbs(image, alpha=ratio)).reshape(image.shape)
    precision = image.dtype if image.dtype.kind == "f" else np.float64
    return _rounded(np.multiply(image, ratio, dtype=precision), target)


def _full_range(dtype: np.dtype[Any]) -> float:
    return 1.0 if dtype.kind == "f" else float(np.iinfo(dtype).max)


def _rounded(values: Array, target: np.dtype[Any]) -> Array:
    """What `cast_array` does, in fewer passes for the small integers; `values` is used up."""
    if target.kind == "f" or target.itemsize > 2:
        return cast_array(values, DType.from_fw_type(target))
    limits = np.iinfo(target)
    np.fmin(np.fmax(values, limits.min, out=values), limits.max, out=values)
    values += np.copysign(values.dtype.type(0.5), values) if limits.min else values.dtype.type(0.5)
    return values.astype(target)
