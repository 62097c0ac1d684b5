"""One image file as the JPEG that goes into a shard: checked, made smaller, encoded."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from penstock import _native
from penstock.ops.decode.headers import format_of, peek_shape
from penstock.ops.decode.image import Decoding, decode_step
from penstock.ops.image.resize import Filters, Target, resize_step
from penstock.ops.single_sample import run_steps
from penstock.values.dtypes import uint8
from penstock.values.enums import ImageType, InterpType
from penstock.values.memory_limit import max_bytes
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

_ROW: Any = np.full(1, InterpType.INTERP_LINEAR, np.int32)  # for the one sample of a call
_LINEAR = Filters(_ROW)


class PackedImage(NamedTuple):
    """A JPEG and its size in pixels."""

    jpeg: bytes
    height: int
    width: int


class ImagePacker(NamedTuple):
    """Makes images upright and at most `max_size` pixels long, never larger than they were, and encodes them as JPEG.

    Grey images stay grey; transparency, EXIF data and colour profiles are dropped, as decoders drop them.
    """

    max_size: int | None
    quality: int

    def pack(self, path: str) -> PackedImage:
        """Raises OSError for a file that cannot be read, RuntimeError for what is not one whole image."""
        data: Array = np.fromfile(path, np.uint8)
        if not data.size:
            raise RuntimeError("the file is empty")
        image = self._decoded(data, *_extent_of(data))
        height, width, _ = image.shape
        return PackedImage(_encoded(image, self.quality), height, width)

    def _decoded(self, data: Array, longer: int, channels: int) -> Array:
        samples = _native.Samples.wrap_one(data)
        steps = [decode_step(samples, Decoding(ImageType.GRAY if channels < 3 else ImageType.RGB))]
        if self.max_size is not None and longer > self.max_size:
            rule = Target(resize_longer=float(self.max_size)).of_one_sample().rule("HW")
            steps.append(resize_step(Spec(uint8, 3, "HWC"), rule, _LINEAR, None))
        return run_steps(samples, *steps)


def _extent_of(data: Array) -> tuple[int, int]:
    """The longer side of an image, and its channels. Raises RuntimeError for a damaged JPEG."""
    if format_of(data) != "JPEG":
        height, width, channels = peek_shape(data, adjust_orientation=False)
        return max(height, width), channels
    found = _native.report_jpeg(data, max_bytes(None))
    if found.damage:  # of which the decoder only warns
        raise RuntimeError(found.damage)
    return max(found.height, found.width), found.components


def _encoded(image: Array, quality: int) -> bytes:
    import cv2

    stored = image if image.shape[2] == 1 else cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    _, jpeg = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return jpeg.tobytes()
