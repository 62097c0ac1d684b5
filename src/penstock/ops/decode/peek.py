"""The size of an image without decoding it."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.decode import headers
from penstock.ops.decode.image import check_encoded
from penstock.schema import Example, examples, operator
from penstock.values.dtypes import DType, int64
from penstock.values.enums import ImageType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]

CHANNELS = {ImageType.RGB: 3, ImageType.BGR: 3, ImageType.GRAY: 1, ImageType.YCbCr: 3}


def _foretell(data: Spec, *, dtype: DType, **rest: Any) -> Spec:
    check_encoded(data, None)
    if dtype.storage.kind not in "iuf":
        raise RuntimeError(f"a shape cannot be given as {dtype}")
    return Spec(dtype, 1, "")


@operator(name="peek_image_shape", older_names=["experimental.peek_image_shape"], infer=_foretell, runs_on="cpu")
def peek_image_shape(
    data: Array, *, dtype: DType = int64, adjust_orientation: bool = True, image_type: ImageType = ImageType.RGB
) -> Array:
    """Reads height, width and channels from the header of an image file.

        ndd.peek_image_shape(jpegs)

    Args:
        dtype: Element type of the result.
        adjust_orientation: Tell the size of the image turned upright as its EXIF data says.
        image_type: Colours the image would be decoded to; ANY_DATA tells the channels that are stored.
    """
    if _native.other_formats(_native.Samples.wrap_one(data)):
        height, width, stored = headers.peek_shape(data, adjust_orientation=adjust_orientation)
        channels = CHANNELS.get(image_type, stored)
    else:
        height, width, channels = _native.peek_jpeg(data, int(image_type), adjust_orientation)
    return np.array([height, width, channels], dtype.storage)


@peek_image_shape.native(needs_data=True)
def native(
    data: Spec, *, dtype: DType, adjust_orientation: bool, image_type: ImageType, samples: _native.Samples
) -> _native.Step | None:
    if _native.other_formats(samples):
        return None
    return _native.PeekJpeg(int(image_type), dtype.code, adjust_orientation)


peek_image_shape.examples = examples(
    Example("ndd.peek_image_shape(jpeg)", plain="cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB).shape"),
)
