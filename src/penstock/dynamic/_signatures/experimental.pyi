"""Signatures of ndd.experimental. Written by tools/gen.py."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike, Operand, TensorLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.rng import RNG
from penstock.storage import Storage
from penstock.values.bad_samples import BadSample
from penstock.values.device import Device
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

@overload
def dilate(
    input: TensorLike,
    /,
    *,
    mask_size: int | Sequence[int] | Array | Tensor | None = [3, 3],
    anchor: int | Sequence[int] | Array | Tensor | None = [-1, -1],
    iterations: int | None = 1,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Replaces every pixel by the largest one in a rectangle around it, channel by channel: bright areas grow.

        ndd.experimental.dilate(images, mask_size=[5, 5])
        ndd.experimental.dilate(images, iterations=2, border_mode="reflect_101")

    Args:
        mask_size: Height and width of the rectangle.
        anchor: Which row and column of the rectangle lies on the pixel that is replaced; -1 is the middle.
        iterations: How often to do so.
        border_mode: What lies beyond the edges: nothing that counts ("constant"), the outermost pixels ("replicate"),
            the image mirrored about its edges ("reflect") or its outermost pixels ("reflect_101"), or its opposite
            side ("wrap").
    """
@overload
def dilate(
    input: Operand,
    /,
    *,
    mask_size: int | Sequence[int] | Array | Tensor | Batch | None = [3, 3],
    anchor: int | Sequence[int] | Array | Tensor | Batch | None = [-1, -1],
    iterations: int | None = 1,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def erode(
    input: TensorLike,
    /,
    *,
    mask_size: int | Sequence[int] | Array | Tensor | None = [3, 3],
    anchor: int | Sequence[int] | Array | Tensor | None = [-1, -1],
    iterations: int | None = 1,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Replaces every pixel by the smallest one in a rectangle around it, channel by channel: bright areas shrink.

        ndd.experimental.erode(images, mask_size=[5, 5])
        ndd.experimental.erode(images, anchor=[0, 0], border_mode="wrap")

    Args:
        mask_size: Height and width of the rectangle.
        anchor: Which row and column of the rectangle lies on the pixel that is replaced; -1 is the middle.
        iterations: How often to do so.
        border_mode: What lies beyond the edges: nothing that counts ("constant"), the outermost pixels ("replicate"),
            the image mirrored about its edges ("reflect") or its outermost pixels ("reflect_101"), or its opposite
            side ("wrap").
    """
@overload
def erode(
    input: Operand,
    /,
    *,
    mask_size: int | Sequence[int] | Array | Tensor | Batch | None = [3, 3],
    anchor: int | Sequence[int] | Array | Tensor | Batch | None = [-1, -1],
    iterations: int | None = 1,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def median_blur(
    input: TensorLike,
    /,
    *,
    window_size: int | Sequence[int] | Array | Tensor | None = [3, 3],
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Replaces every pixel by the median of a window around it, channel by channel: specks vanish, edges stay.

        ndd.experimental.median_blur(images, window_size=[5, 5])

    Beyond the edges the outermost pixels go on.

    Args:
        window_size: Odd height and width of the window, or one number for both.
    """
@overload
def median_blur(
    input: Operand,
    /,
    *,
    window_size: int | Sequence[int] | Array | Tensor | Batch | None = [3, 3],
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def peek_image_shape(
    data: TensorLike,
    /,
    *,
    dtype: DTypeLike | None = int64,
    adjust_orientation: bool | None = True,
    image_type: ImageType | str | None = ImageType.RGB,
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
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def remap(
    image: TensorLike,
    mapx: TensorLike,
    mapy: TensorLike,
    /,
    *,
    interp: InterpType | str | None = InterpType.INTERP_LINEAR,
    pixel_origin: Literal["corner", "center"] | None = "corner",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Takes every pixel of the result from where two maps say; what lies beyond the image is 0.

        ndd.experimental.remap(images, columns + waves, rows)

    Args:
        mapx: For every pixel of the result, the x it comes from.
        mapy: For every pixel of the result, the y it comes from.
        interp: INTERP_LINEAR, INTERP_NN, INTERP_CUBIC or INTERP_LANCZOS3.
        pixel_origin: Coordinates 0, 0 are the "corner" of the first pixel, or its "center" as in OpenCV.
    """
@overload
def remap(
    image: Operand,
    mapx: Operand,
    mapy: Operand,
    /,
    *,
    interp: InterpType | str | None = InterpType.INTERP_LINEAR,
    pixel_origin: Literal["corner", "center"] | None = "corner",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def resize(
    image: TensorLike,
    /,
    *,
    size: float | Sequence[float] | Array | Tensor | None = None,
    resize_x: float | Tensor | None = None,
    resize_y: float | Tensor | None = None,
    resize_z: float | Tensor | None = None,
    resize_shorter: float | Tensor | None = None,
    resize_longer: float | Tensor | None = None,
    mode: Literal["default", "stretch", "not_larger", "not_smaller"] | None = "default",
    max_size: float | Sequence[float] | Array | None = None,
    subpixel_scale: bool | None = True,
    roi_start: float | Sequence[float] | Array | Tensor | None = None,
    roi_end: float | Sequence[float] | Array | Tensor | None = None,
    roi_relative: bool | None = False,
    interp_type: InterpType | str | Tensor | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | None = None,
    min_filter: InterpType | str | Tensor | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    save_attrs: bool | None = False,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Resamples an image, a volume or every frame of a sequence to another size.

        ndd.resize(images, size=[224, 224])
        ndd.resize(images, resize_shorter=256, interp_type=types.INTERP_CUBIC)

    Args:
        size: Height and width (depth, height and width for volumes); 0 keeps the aspect ratio, negative mirrors.
        resize_x: Width of the result.
        resize_y: Height of the result.
        resize_z: Depth of the result.
        resize_shorter: Length of the shorter edge; the aspect ratio is kept.
        resize_longer: Length of the longer edge; the aspect ratio is kept.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the size.
        max_size: Upper limit of the extents.
        subpixel_scale: Shift the sampled region by fractions of a pixel so that a rounded size keeps the exact scale.
        roi_start: First corner of the region to resample.
        roi_end: Opposite corner; beyond the first mirrors.
        roi_relative: The region is given in fractions of the input's size.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        save_attrs: Also return the input's height and width.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
@overload
def resize(
    image: Operand,
    /,
    *,
    size: float | Sequence[float] | Array | Tensor | Batch | None = None,
    resize_x: float | Tensor | Batch | None = None,
    resize_y: float | Tensor | Batch | None = None,
    resize_z: float | Tensor | Batch | None = None,
    resize_shorter: float | Tensor | Batch | None = None,
    resize_longer: float | Tensor | Batch | None = None,
    mode: Literal["default", "stretch", "not_larger", "not_smaller"] | None = "default",
    max_size: float | Sequence[float] | Array | None = None,
    subpixel_scale: bool | None = True,
    roi_start: float | Sequence[float] | Array | Tensor | Batch | None = None,
    roi_end: float | Sequence[float] | Array | Tensor | Batch | None = None,
    roi_relative: bool | None = False,
    interp_type: InterpType | str | Tensor | Batch | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | Batch | None = None,
    min_filter: InterpType | str | Tensor | Batch | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    save_attrs: bool | None = False,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def warp_perspective(
    image: TensorLike,
    matrix_input: TensorLike | None = None,
    /,
    *,
    matrix: ArrayLike | Tensor | None = None,
    inverse_map: bool | None = True,
    size: float | Sequence[float] | Array | Tensor | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    fill_value: float | Sequence[float] | Array | None = [],
    pixel_origin: Literal["corner", "center"] | None = "corner",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Shows a flat image as if seen from elsewhere, by a matrix of three rows of three numbers.

        ndd.experimental.warp_perspective(images, matrix=[1, 0, 0, 0, 1, 0, 0.001, 0, 1], border_mode="replicate")

    Args:
        matrix_input: The matrix as a second input.
        matrix: The matrix as an argument. It takes x, y and 1 in the result to a multiple of x, y and 1 in the image.
        inverse_map: The matrix goes from the result to the image; otherwise from the image to the result.
        size: Height and width of the result, or one number for both; the input's by default.
        interp_type: INTERP_LINEAR, INTERP_NN or INTERP_CUBIC.
        border_mode: What lies beyond the image: "constant" shows `fill_value`, "replicate" the last pixel, "reflect"
            and "reflect_101" the image mirrored with and without its last pixel, "wrap" its other side.
        fill_value: One value, or one for every channel.
        pixel_origin: Coordinates 0, 0 are the "corner" of the first pixel, or its "center" as in OpenCV.
    """
@overload
def warp_perspective(
    image: Operand,
    matrix_input: Operand | None = None,
    /,
    *,
    matrix: ArrayLike | Tensor | Batch | None = None,
    inverse_map: bool | None = True,
    size: float | Sequence[float] | Array | Tensor | Batch | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] | None = "constant",
    fill_value: float | Sequence[float] | Array | None = [],
    pixel_origin: Literal["corner", "center"] | None = "corner",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
