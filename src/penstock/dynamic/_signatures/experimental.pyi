"""Signatures of ndd.experimental. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.batch import Batch
from penstock.dynamic.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def peek_image_shape(
    data: TensorLike,
    /,
    *,
    dtype: DTypeLike | None = int64,
    adjust_orientation: bool | None = True,
    image_type: ImageType | None = ImageType.RGB,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Reads height, width and channels from the header of an image file.

        ndd.peek_image_shape(jpegs)

    Args:
        dtype: Element type of the result.
        adjust_orientation: Tell the size of the image turned upright as its EXIF data says.
        image_type: Colours the image would be decoded to; ANY_DATA tells the channels that are stored.
    """
@overload
def peek_image_shape(
    data: Operand,
    /,
    *,
    dtype: DTypeLike | None = int64,
    adjust_orientation: bool | None = True,
    image_type: ImageType | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
