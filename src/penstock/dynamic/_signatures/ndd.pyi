"""Signatures of ndd. Written by tools/gen.py."""
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
def audio_resample(
    input: TensorLike,
    /,
    *,
    in_rate: float | Tensor | None = None,
    out_rate: float | Tensor | None = None,
    scale: float | Tensor | None = None,
    out_length: int | Tensor | None = None,
    quality: float | None = 50.0,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Brings signals to another sample rate.

        ndd.audio_resample(audio, in_rate=44100, out_rate=16000)
        ndd.audio_resample(audio, scale=1.1)

    The first axis is time, the second, if there is one, channels. The signal is filtered with a sinc under a Hann
    window and is silent beyond its ends. Frequencies the new rate cannot hold are not removed but folded back: take
    them out before, where there are any.

    Args:
        in_rate: Sample rate of the input.
        out_rate: Sample rate of the result, in the same unit.
        scale: Their ratio instead: 2 doubles the number of samples.
        out_length: Number of samples to bring the signal to, instead of rates.
        quality: 0 to 100, for 3 to 64 lobes of the sinc on either side.
        dtype: Type of the result, the input's by default. The largest value of an integer type stands for 1, and the
            lowest of an unsigned one for -1.
    """
@overload
def audio_resample(
    input: Operand,
    /,
    *,
    in_rate: float | Tensor | Batch | None = None,
    out_rate: float | Tensor | Batch | None = None,
    scale: float | Tensor | Batch | None = None,
    out_length: int | Tensor | Batch | None = None,
    quality: float | None = 50.0,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def batch_permutation(
    *,
    allow_repetitions: bool | None = False,
    no_fixed_points: bool | None = False,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws a random order of the samples of a batch, for `permute_batch`.

        ndd.batch_permutation(batch_size=64)

    Args:
        allow_repetitions: Draw every place by itself, so that samples may come twice or not at all.
        no_fixed_points: Let no sample stay where it is. A batch of one has no choice.
    """
@overload
def batch_permutation(
    *,
    allow_repetitions: bool | None = False,
    no_fixed_points: bool | None = False,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def bb_flip(
    boxes: TensorLike,
    /,
    *,
    horizontal: int | Tensor | None = 1,
    vertical: int | Tensor | None = 0,
    ltrb: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Moves boxes to where they lie once `flip` has mirrored their image.

        ndd.bb_flip(boxes, ltrb=True, horizontal=mirrored)

    Boxes are in shares of the image, from 0 to 1.

    Args:
        horizontal: The image was mirrored left to right.
        vertical: The image was mirrored top to bottom.
        ltrb: Boxes are left, top, right, bottom; without it left, top, width, height.
    """
@overload
def bb_flip(
    boxes: Operand,
    /,
    *,
    horizontal: int | Tensor | Batch | None = 1,
    vertical: int | Tensor | Batch | None = 0,
    ltrb: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def bbox_paste(
    boxes: TensorLike,
    /,
    *,
    ratio: float | Tensor,
    paste_x: float | Tensor | None = 0.5,
    paste_y: float | Tensor | None = 0.5,
    ltrb: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Moves boxes to where they lie once `paste` has put their image on a larger canvas.

        ndd.bbox_paste(boxes, ratio=2.0, paste_x=0.0, paste_y=1.0)

    Boxes are in shares of the image before and of the canvas after.

    Args:
        ratio: The size of the canvas over that of the image.
        paste_x: Where the image is: 0 at the left edge of the canvas, 1 at the right.
        paste_y: 0 at the top, 1 at the bottom.
        ltrb: Boxes are left, top, right, bottom; without it left, top, width, height.
    """
@overload
def bbox_paste(
    boxes: Operand,
    /,
    *,
    ratio: float | Tensor | Batch,
    paste_x: float | Tensor | Batch | None = 0.5,
    paste_y: float | Tensor | Batch | None = 0.5,
    ltrb: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def bbox_rotate(
    boxes: TensorLike,
    labels: TensorLike | None = None,
    /,
    *,
    angle: float | Tensor,
    input_shape: int | Sequence[int] | Array | Tensor,
    bbox_layout: Literal["xyXY", "xyWH"] | None = "xyXY",
    bbox_normalized: bool | None = True,
    keep_size: bool | None = False,
    mode: Literal["expand", "halfway", "fixed"] | None = "expand",
    remove_threshold: float | None = 0.1,
    shape_layout: str | None = "HW",
    size: float | Sequence[float] | Array | Tensor | None = [],
    batch_size: None = None,
    device: Device | str | None = None,
) -> Any:
    """Moves boxes to where they lie once `rotate` has turned their image, and drops those that left it.

        boxes, labels = ndd.bbox_rotate(boxes, labels, angle=30.0, input_shape=[480, 640], keep_size=True)

    Boxes are cut at the edges of the image. Labels go with their boxes.

    Args:
        labels: A label for every box.
        angle: Degrees, counter-clockwise.
        input_shape: Shape of the image before it is rotated.
        bbox_layout: "xyXY" for two corners, "xyWH" for a corner and a size.
        bbox_normalized: Boxes are in shares of the image, not in pixels.
        keep_size: The rotated image has the size of the original.
        mode: "expand" for boxes that hold all of the rotated box, "fixed" for boxes that keep their size, "halfway"
            for the middle of both.
        remove_threshold: Boxes with a smaller share of their area inside the image are dropped.
        shape_layout: What the numbers of `input_shape` are; H and W are needed.
        size: Height and width of the rotated image, where `rotate` was given them.
    """
@overload
def bbox_rotate(
    boxes: Operand,
    labels: Operand | None = None,
    /,
    *,
    angle: float | Tensor | Batch,
    input_shape: int | Sequence[int] | Array | Tensor | Batch,
    bbox_layout: Literal["xyXY", "xyWH"] | None = "xyXY",
    bbox_normalized: bool | None = True,
    keep_size: bool | None = False,
    mode: Literal["expand", "halfway", "fixed"] | None = "expand",
    remove_threshold: float | None = 0.1,
    shape_layout: str | None = "HW",
    size: float | Sequence[float] | Array | Tensor | Batch | None = [],
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Any: ...

@overload
def box_encoder(
    boxes: TensorLike,
    labels: TensorLike,
    /,
    *,
    anchors: ArrayLike,
    criteria: float | None = 0.5,
    means: float | Sequence[float] | Array | None = [0.0, 0.0, 0.0, 0.0],
    offset: bool | None = False,
    scale: float | None = 1.0,
    stds: float | Sequence[float] | Array | None = [1.0, 1.0, 1.0, 1.0],
    batch_size: None = None,
    device: Device | str | None = None,
) -> tuple[Tensor, Tensor]:
    """Tells for every anchor of a single-shot detector which box it should find.

        targets, classes = ndd.box_encoder(boxes, labels, anchors=anchors, criteria=0.5)

    Each anchor is given the box it overlaps with most, if by more than `criteria`; and each box at least the anchor
    that overlaps with it most. Results are centre x, centre y, width and height of the box, or of the anchor where
    there is none, and the label of the box or 0.

    Args:
        labels: A label for every box.
        anchors: Left, top, right and bottom of every anchor, as a flat list or rows of four.
        criteria: The least overlap, as intersection over union.
        offset: Tell how far the box is from its anchor, as such networks learn it, and zeros where there is none.
        means: Taken from the offsets of x, y, width and height.
        stds: What these are then divided by.
        scale: Factor for boxes and anchors before offsets are taken.
    """
@overload
def box_encoder(
    boxes: Operand,
    labels: Operand,
    /,
    *,
    anchors: ArrayLike,
    criteria: float | None = 0.5,
    means: float | Sequence[float] | Array | None = [0.0, 0.0, 0.0, 0.0],
    offset: bool | None = False,
    scale: float | None = 1.0,
    stds: float | Sequence[float] | Array | None = [1.0, 1.0, 1.0, 1.0],
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, Batch]: ...

@overload
def brightness(
    image: TensorLike,
    /,
    *,
    brightness: float | Tensor | None = 1.0,
    brightness_shift: float | Tensor | None = 0.0,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes brightness: range * brightness_shift + brightness * image.

        ndd.brightness(images, brightness=1.2)
        ndd.brightness(video, brightness=ndd.per_frame(ndd.tensor([1.0, 0.9, 0.8])))

    Args:
        brightness: Factor of all values.
        brightness_shift: Added to all values, in units of the result's range: 1 for floats, else its largest value.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
@overload
def brightness(
    image: Operand,
    /,
    *,
    brightness: float | Tensor | Batch | None = 1.0,
    brightness_shift: float | Tensor | Batch | None = 0.0,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def brightness_contrast(
    image: TensorLike,
    /,
    *,
    brightness: float | Tensor | None = 1.0,
    brightness_shift: float | Tensor | None = 0.0,
    contrast: float | Tensor | None = 1.0,
    contrast_center: float | Tensor | None = None,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes contrast, then brightness: range * shift + brightness * (center + contrast * (image - center)).

        ndd.brightness_contrast(images, brightness=1.2, contrast=ndd.random.uniform(range=(0.8, 1.2), batch_size=64))

    Args:
        brightness: Factor of all values.
        brightness_shift: Added to all values, in units of the result's range: 1 for floats, else its largest value.
        contrast: Factor of the distance from `contrast_center`; 0 makes everything grey.
        contrast_center: The value that contrast leaves alone. By default half of the positive range of the image's
            type: 128 for uint8, 16384 for int16, 0.5 for floats.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
@overload
def brightness_contrast(
    image: Operand,
    /,
    *,
    brightness: float | Tensor | Batch | None = 1.0,
    brightness_shift: float | Tensor | Batch | None = 0.0,
    contrast: float | Tensor | Batch | None = 1.0,
    contrast_center: float | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def cast(
    input: TensorLike,
    /,
    *,
    dtype: DTypeLike,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Converts the elements to another type.

        ndd.cast(images, dtype=ndd.float32)

    Floats become integers by rounding, halves away from zero, and values beyond the range of the type become its
    limits; NaN becomes the lowest integer. To bool, a value is true where it does not round to zero.

    Args:
        dtype: The type to convert to.
    """
@overload
def cast(
    input: Operand,
    /,
    *,
    dtype: DTypeLike,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def cast_like(
    data: TensorLike,
    like: TensorLike,
    /,
    *,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Converts elements to the type another array has, by the rules of `cast`.

        ndd.cast_like(masks, images)

    Args:
        like: Only its element type counts.
    """
@overload
def cast_like(
    data: Operand,
    like: Operand,
    /,
    *,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def cat(
    first: TensorLike,
    /,
    *inputs: TensorLike,
    axis: int | None = None,
    axis_name: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Joins arrays along an axis they have.

        ndd.cat(left, right, axis_name="W")

    They may differ in their extent along that axis only. The layout is that of the first.

    Args:
        axis: Which axis; 0 by default, negative numbers count from the last one.
        axis_name: Its name in the layout of the first input, instead.
    """
@overload
def cat(
    first: Operand,
    /,
    *inputs: Operand,
    axis: int | None = None,
    axis_name: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def clahe(
    image: TensorLike,
    /,
    *,
    tiles_x: int,
    tiles_y: int,
    clip_limit: float,
    luma_only: bool | None = True,
    bins: int | None = 256,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Equalises the contrast of an image region by region (CLAHE).

        ndd.clahe(images, tiles_x=8, tiles_y=8, clip_limit=2.0)

    Every tile is equalised by its own histogram, in which no level counts more than the limit; in between, pixels are
    blended from the nearest tiles. Images are grey or RGB.

    Args:
        tiles_x: Number of tiles across.
        tiles_y: Number of tiles down.
        clip_limit: Most pixels a level may count, as a multiple of the average; 0 for no limit.
        luma_only: Equalise the lightness of RGB images and keep their colours; otherwise every channel by itself.
        bins: Has no effect: images of 8 bits have 256 levels. A power of 2.
    """
@overload
def clahe(
    image: Operand,
    /,
    *,
    tiles_x: int,
    tiles_y: int,
    clip_limit: float,
    luma_only: bool | None = True,
    bins: int | None = 256,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def color_space_conversion(
    image: TensorLike,
    /,
    *,
    image_type: ImageType | str,
    output_type: ImageType | str,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Converts images between RGB, BGR, grey and YCbCr.

        ndd.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY)

    YCbCr is that of ITU-R BT.601 with head- and footroom: white is (235, 128, 128).

    Args:
        image_type: The colours the image has.
        output_type: The colours it is to have.
    """
@overload
def color_space_conversion(
    image: Operand,
    /,
    *,
    image_type: ImageType | str,
    output_type: ImageType | str,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def color_twist(
    image: TensorLike,
    /,
    *,
    hue: float | Tensor | None = 0.0,
    saturation: float | Tensor | None = 1.0,
    brightness: float | Tensor | None = 1.0,
    contrast: float | Tensor | None = 1.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes hue, saturation, contrast and brightness of an RGB image in one pass.

        ndd.color_twist(images, hue=ndd.random.uniform(range=(-20, 20), batch_size=64), saturation=1.3)

    Args:
        hue: Angle by which hues are turned, in degrees.
        saturation: Factor of the distance from grey; 0 takes the colour away.
        brightness: Factor of all values.
        contrast: Factor of the distance from the middle: 128 for integers, 0.5 for floats.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
@overload
def color_twist(
    image: Operand,
    /,
    *,
    hue: float | Tensor | Batch | None = 0.0,
    saturation: float | Tensor | Batch | None = 1.0,
    brightness: float | Tensor | Batch | None = 1.0,
    contrast: float | Tensor | Batch | None = 1.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def contrast(
    image: TensorLike,
    /,
    *,
    contrast: float | Tensor | None = 1.0,
    contrast_center: float | Tensor | None = None,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes contrast: contrast_center + contrast * (image - contrast_center).

        ndd.contrast(images, contrast=1.5)

    Args:
        contrast: Factor of the distance from `contrast_center`; 0 makes everything grey.
        contrast_center: The value that contrast leaves alone. By default half of the positive range of the image's
            type: 128 for uint8, 16384 for int16, 0.5 for floats.
        dtype: uint8, int16, int32 or float32 instead of the image's type; rounded and saturated.
    """
@overload
def contrast(
    image: Operand,
    /,
    *,
    contrast: float | Tensor | Batch | None = 1.0,
    contrast_center: float | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def coord_flip(
    input: TensorLike,
    /,
    *,
    flip_x: int | Tensor | None = 1,
    flip_y: int | Tensor | None = 0,
    flip_z: int | Tensor | None = 0,
    center_x: float | Tensor | None = 0.5,
    center_y: float | Tensor | None = 0.5,
    center_z: float | Tensor | None = 0.5,
    layout: str | None = "",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Mirrors points: coordinates c become 2 center - c.

        ndd.coord_flip(landmarks, flip_x=ndd.random.coin_flip(batch_size=64))

    Args:
        flip_x: Mirror left to right.
        flip_y: Mirror top to bottom.
        flip_z: Mirror front to back.
        center_x: The x coordinate that stays where it is.
        center_y: The y coordinate that stays where it is.
        center_z: The z coordinate that stays where it is.
        layout: The order of the coordinates; x, xy or xyz by default.
    """
@overload
def coord_flip(
    input: Operand,
    /,
    *,
    flip_x: int | Tensor | Batch | None = 1,
    flip_y: int | Tensor | Batch | None = 0,
    flip_z: int | Tensor | Batch | None = 0,
    center_x: float | Tensor | Batch | None = 0.5,
    center_y: float | Tensor | Batch | None = 0.5,
    center_z: float | Tensor | Batch | None = 0.5,
    layout: str | None = "",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def coord_transform(
    input: TensorLike,
    /,
    *,
    M: ArrayLike | Tensor | None = None,
    T: ArrayLike | Tensor | None = None,
    MT: ArrayLike | Tensor | None = None,
    dtype: DTypeLike | None = float32,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Applies an affine map to points: M p + T for each row p of coordinates.

        ndd.coord_transform(landmarks, M=[0, 1, 1, 0], T=[10, 20])
        ndd.coord_transform(landmarks, MT=ndd.transforms.rotation(angle=30, center=[320, 240]))

    Args:
        M: The matrix, with a column for each coordinate; also as a flat list row by row. A single number scales.
        T: What is added: a number, or one for each coordinate of the result.
        MT: Both as one matrix with T as its last column.
        dtype: Element type of the result: float32 or that of the input, rounded and saturated.
    """
@overload
def coord_transform(
    input: Operand,
    /,
    *,
    M: ArrayLike | Tensor | Batch | None = None,
    T: ArrayLike | Tensor | Batch | None = None,
    MT: ArrayLike | Tensor | Batch | None = None,
    dtype: DTypeLike | None = float32,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def copy(input: TensorLike, /, *, batch_size: None = None, device: Device | str | None = None) -> Tensor:
    """The same data in memory of its own.

    ndd.copy(images)
    """
@overload
def copy(input: Operand, /, *, batch_size: int | None = None, device: Device | str | None = None) -> Batch: ...

@overload
def crop(
    image: TensorLike,
    /,
    *,
    crop: float | Sequence[float] | Array | Tensor | None = None,
    crop_h: float | Tensor | None = None,
    crop_w: float | Tensor | None = None,
    crop_d: float | Tensor | None = None,
    crop_pos_x: float | Tensor | None = 0.5,
    crop_pos_y: float | Tensor | None = 0.5,
    crop_pos_z: float | Tensor | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Cuts a window of given size out of an image, a volume or every frame of a sequence.

        ndd.crop(images, crop=(224, 224))
        ndd.crop(images, crop=(28, 28), crop_pos_x=ndd.random.uniform(range=(0, 1), batch_size=64))

    Args:
        crop: Height and width of the window; depth, height and width for volumes.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window, or its number of frames; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        out_of_bounds_policy: What to do with a window larger than the image: "error"; "pad" (or "constant") with
            `fill_values`; "trim_to_shape"; or repeat the image, "edge" (or "clamp") its last pixel, "reflect_1001"
            (or "reflect") and "reflect_101" mirrored with and without its last pixel, "wrap" from the other side.
        fill_values: What to pad with: one value, or one per channel.
        dtype: uint8, float16 or float32 instead of the input's type; fractions are cut off.
    """
@overload
def crop(
    image: Operand,
    /,
    *,
    crop: float | Sequence[float] | Array | Tensor | Batch | None = None,
    crop_h: float | Tensor | Batch | None = None,
    crop_w: float | Tensor | Batch | None = None,
    crop_d: float | Tensor | Batch | None = None,
    crop_pos_x: float | Tensor | Batch | None = 0.5,
    crop_pos_y: float | Tensor | Batch | None = 0.5,
    crop_pos_z: float | Tensor | Batch | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def crop_mirror_normalize(
    image: TensorLike,
    /,
    *,
    crop: float | Sequence[float] | Array | Tensor | None = None,
    crop_h: float | Tensor | None = None,
    crop_w: float | Tensor | None = None,
    crop_d: float | Tensor | None = None,
    crop_pos_x: float | Tensor | None = 0.5,
    crop_pos_y: float | Tensor | None = 0.5,
    crop_pos_z: float | Tensor | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    mirror: int | Tensor | None = 0,
    mean: float | Sequence[float] | Array | Tensor | None = [0.0],
    std: float | Sequence[float] | Array | Tensor | None = [1.0],
    scale: float | None = 1.0,
    shift: float | None = 0.0,
    pad_output: bool | None = False,
    output_layout: str | None = "CHW",
    dtype: DTypeLike | None = float32,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Cuts out a window, mirrors it on demand and normalises it: scale * (pixel - mean) / std + shift.

        ndd.crop_mirror_normalize(images, mean=[123.7, 116.3, 103.5], std=[58.4, 57.1, 57.4], mirror=coin)

    Args:
        crop: Height and width of the window; depth, height and width for volumes. Without it the image stays whole.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window, or its number of frames; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        out_of_bounds_policy: What to do with a window larger than the image, as in `crop`.
        fill_values: What to pad with, not normalised: one value, one per output channel, or one per channel of the
            image, which leaves 0 for those that `pad_output` adds.
        mirror: Mirror left to right.
        mean: Subtracted from the pixels: one value, or one per channel.
        std: Divides the result: one value, or one per channel.
        scale: Factor after that.
        shift: Added at last.
        pad_output: Add channels up to a power of two, filled as the border is.
        output_layout: Order of the result's axes; "" keeps the input's.
        dtype: float32, float16, uint8 or int8; integers are rounded and saturated.
    """
@overload
def crop_mirror_normalize(
    image: Operand,
    /,
    *,
    crop: float | Sequence[float] | Array | Tensor | Batch | None = None,
    crop_h: float | Tensor | Batch | None = None,
    crop_w: float | Tensor | Batch | None = None,
    crop_d: float | Tensor | Batch | None = None,
    crop_pos_x: float | Tensor | Batch | None = 0.5,
    crop_pos_y: float | Tensor | Batch | None = 0.5,
    crop_pos_z: float | Tensor | Batch | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    mirror: int | Tensor | Batch | None = 0,
    mean: float | Sequence[float] | Array | Tensor | Batch | None = [0.0],
    std: float | Sequence[float] | Array | Tensor | Batch | None = [1.0],
    scale: float | None = 1.0,
    shift: float | None = 0.0,
    pad_output: bool | None = False,
    output_layout: str | None = "CHW",
    dtype: DTypeLike | None = float32,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def debayer(
    image: TensorLike,
    /,
    *,
    blue_position: int | Sequence[int] | Array | Tensor,
    algorithm: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes an RGB image of what a sensor sees through a Bayer filter.

        ndd.debayer(raw, blue_position=[0, 0])

    Args:
        blue_position: Row and column of blue in the 2 x 2 tile that begins in the second row and column of the sensor:
            [0, 0] for BGGR, [0, 1] for GBRG, [1, 0] for GRBG and [1, 1] for RGGB.
        algorithm: How missing colours are found: "bilinear_ocv", which is the default; "edgeaware_ocv", along edges;
            "vng_ocv", by variable number of gradients, uint8 only, which is the CPU's work also for images on a GPU;
            "gray_ocv", which makes a grey image; or "default_npp", which programs for GPUs say and is bilinear, too.
    """
@overload
def debayer(
    image: Operand,
    /,
    *,
    blue_position: int | Sequence[int] | Array | Tensor | Batch,
    algorithm: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def dump_image(
    input: TensorLike,
    /,
    *,
    input_layout: str | None = "HWC",
    suffix: str | None = "",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Writes images to the working directory, for a look at what a program does to them, and passes them on.

        images = ndd.dump_image(ndd.resize(images, size=[224, 224]), suffix="resized")

    Sample i goes to a text file in PPM format, `<i>-<suffix>-0.ppm`, which is overwritten every time. Images on a GPU
    are written by the CPU, and come back from there.

    Args:
        input_layout: Only "HWC" can be written, with one or three channels.
        suffix: Put into the names of the files.
    """
@overload
def dump_image(
    input: Operand,
    /,
    *,
    input_layout: str | None = "HWC",
    suffix: str | None = "",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def element_extract(
    sequence: TensorLike,
    /,
    *,
    element_map: int | Sequence[int] | Array,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Any:
    """Takes single frames out of sequences, one result for each; nothing is copied.

        first, last = ndd.element_extract(videos, element_map=[0, 15])

    Args:
        element_map: Which frames.
    """
@overload
def element_extract(
    sequence: Operand,
    /,
    *,
    element_map: int | Sequence[int] | Array,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Any: ...

@overload
def equalize(image: TensorLike, /, *, batch_size: None = None, device: Device | str | None = None) -> Tensor:
    """Spreads the values of every channel evenly over 0 to 255.

        ndd.equalize(images)

    The lowest value of a channel becomes 0 and the highest 255; a channel of one value stays as it is.
    """
@overload
def equalize(image: Operand, /, *, batch_size: int | None = None, device: Device | str | None = None) -> Batch: ...

@overload
def erase(
    input: TensorLike,
    /,
    *,
    anchor: float | Sequence[float] | Array | Tensor | None = [],
    shape: float | Sequence[float] | Array | Tensor | None = [],
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    fill_value: float | Sequence[float] | Array | Tensor | None = [0.0],
    centered_anchor: bool | None = False,
    normalized: bool | None = False,
    normalized_anchor: bool | None = None,
    normalized_shape: bool | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Overwrites rectangular regions with a constant.

        ndd.erase(images, anchor=[10, 20], shape=[50, 40])
        ndd.erase(images, anchor=[0.1, 0.1, 0.6, 0.6], shape=[0.2, 0.2, 0.3, 0.3], normalized=True, fill_value=128)

    Args:
        anchor: Where the regions begin, one region after the other with a value for each of the axes; at the origin
            without it.
        shape: Their extents, in the same order. What lies outside the input is ignored.
        axes: The axes that `anchor` and `shape` are about.
        axis_names: The same by name; all but the channels without both, in the order of the layout. Regions reach over
            the whole of all other axes.
        fill_value: What the regions hold: one value, or one for every channel.
        centered_anchor: The anchors are the middles of the regions.
        normalized: `anchor` and `shape` are fractions of the input's extents.
        normalized_anchor: Only `anchor` is.
        normalized_shape: Only `shape` is.
    """
@overload
def erase(
    input: Operand,
    /,
    *,
    anchor: float | Sequence[float] | Array | Tensor | Batch | None = [],
    shape: float | Sequence[float] | Array | Tensor | Batch | None = [],
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    fill_value: float | Sequence[float] | Array | Tensor | Batch | None = [0.0],
    centered_anchor: bool | None = False,
    normalized: bool | None = False,
    normalized_anchor: bool | None = None,
    normalized_shape: bool | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def expand_dims(
    data: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array,
    new_axis_names: str | None = "",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Puts in axes of extent 1; nothing is copied.

        ndd.expand_dims(images, axes=0, new_axis_names="F")

    Args:
        axes: Where the new axes are in the result; negative numbers count from its last axis.
        new_axis_names: What the layout calls them, a letter each. Without it the result has no layout.
    """
@overload
def expand_dims(
    data: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array,
    new_axis_names: str | None = "",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def filter(
    data: TensorLike,
    filter: TensorLike,
    fill_value: TensorLike | None = None,
    /,
    *,
    anchor: int | Sequence[int] | Array | Tensor | None = [-1],
    border: Literal["reflect_101", "101", "reflect_1001", "1001", "reflect", "wrap", "clamp", "edge", "constant", "pad"] | None = "reflect_101",
    mode: Literal["same", "valid"] | None = "same",
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Lays a filter over every pixel and adds up the pixels under it, weighted; the filter is not turned around.

        ndd.filter(images, np.full((5, 5), 1 / 25, np.float32))
        ndd.filter(images, sharpen, anchor=[0, 0], border="wrap")

    The filter, the second input, has two axes for images and three for volumes; there may be one for every sample.
    The third input is what lies beyond the edges with the border "constant": a scalar of the input's type, 0 if absent.

    Args:
        anchor: Which element of the filter lies on the pixel that is made, one index for all axes or one for each;
            -1 is the middle. Has no effect where `mode` is "valid".
        border: What lies beyond the edges: the image mirrored about its outermost pixels ("reflect_101", "101") or its
            edges ("reflect_1001", "1001", "reflect"), the opposite side ("wrap"), the outermost pixels ("clamp",
            "edge") or a number ("constant", "pad").
        mode: "same" keeps the size; "valid" makes only the pixels for which the filter lies inside the image.
        dtype: The input's type, or float32.
    """
@overload
def filter(
    data: Operand,
    filter: Operand,
    fill_value: Operand | None = None,
    /,
    *,
    anchor: int | Sequence[int] | Array | Tensor | Batch | None = [-1],
    border: Literal["reflect_101", "101", "reflect_1001", "1001", "reflect", "wrap", "clamp", "edge", "constant", "pad"] | None = "reflect_101",
    mode: Literal["same", "valid"] | None = "same",
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def flip(
    image: TensorLike,
    /,
    *,
    horizontal: int | Tensor | None = 1,
    vertical: int | Tensor | None = 0,
    depthwise: int | Tensor | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Mirrors an image along the chosen axes.

        ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=64))

    Args:
        horizontal: Mirror left to right.
        vertical: Mirror top to bottom.
        depthwise: Mirror front to back; volumes only.
    """
@overload
def flip(
    image: Operand,
    /,
    *,
    horizontal: int | Tensor | Batch | None = 1,
    vertical: int | Tensor | Batch | None = 0,
    depthwise: int | Tensor | Batch | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def full(
    fill_value: TensorLike,
    /,
    *,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    layout: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Repeats a value to fill an array.

        ndd.full(0.5, shape=[480, 640])
        ndd.full(labels, shape=[10])

    The elements have the type of the value. One that is an array itself is broadcast as in NumPy.

    Args:
        shape: Shape of the result; that of the value by default.
        layout: Layout of the result.
    """
@overload
def full(
    fill_value: Operand,
    /,
    *,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    layout: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def full_like(
    data_like: TensorLike,
    fill_value: TensorLike,
    /,
    *,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Repeats a value to fill an array of the shape, type and layout of another.

        ndd.full_like(images, [124, 116, 104])

    Args:
        fill_value: Converted to the element type of `data_like`, and broadcast as in NumPy.
    """
@overload
def full_like(
    data_like: Operand,
    fill_value: Operand,
    /,
    *,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def gamma(
    image: TensorLike,
    /,
    *,
    gamma: float | Tensor,
    gain: float | Tensor | None = 1.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Raises all values to a power: range * gain * (image / range) ** gamma.

        ndd.gamma(images, gamma=ndd.random.uniform(range=(0.7, 1.5), batch_size=64))

    The range is 1 for floats, else the type's largest value, where results end; floats below 0 count as 0.

    Args:
        gamma: The power, above 0: less than 1 lightens what is dark, more than 1 darkens it.
        gain: Factor of the result.
    """
@overload
def gamma(
    image: Operand,
    /,
    *,
    gamma: float | Tensor | Batch,
    gain: float | Tensor | Batch | None = 1.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def gaussian_blur(
    input: TensorLike,
    /,
    *,
    sigma: float | Sequence[float] | Array | Tensor | None = None,
    window_size: int | Sequence[int] | Array | Tensor | None = [0],
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Blurs along the spatial axes with a Gaussian window; beyond the edges the image is mirrored.

        ndd.gaussian_blur(images, sigma=2.0)
        ndd.gaussian_blur(images, window_size=ndd.batch([3, 5, 11]))

    All axes but frames and channels, at most three, are blurred; without a layout, all.

    Args:
        sigma: Standard deviation, one for all axes or one for each; 0 leaves the image as it is. Where it is not
            given it is made from `window_size`: 0.3 * (window_size / 2 - 1) + 0.8, with the half rounded down.
        window_size: Odd length of the window, one for all axes or one for each; 0 makes it from `sigma`:
            2 * ceil(3 * sigma) + 1.
        dtype: The input's type, or float32.
    """
@overload
def gaussian_blur(
    input: Operand,
    /,
    *,
    sigma: float | Sequence[float] | Array | Tensor | Batch | None = None,
    window_size: int | Sequence[int] | Array | Tensor | Batch | None = [0],
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def get_property(
    input: TensorLike,
    /,
    *,
    key: Literal["layout", "source_info", "index"],
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Tells the layout of samples, or where they came from, as the bytes of a text; or their number in the data set.

        paths = [np.asarray(path).tobytes().decode() for path in ndd.get_property(jpegs, key="source_info")]

    Args:
        key: "layout", or "source_info" for the file a reader took the sample from; empty where it is not known;
            or "index" for its number in the reader's data set, -1 where it is not known.
    """
@overload
def get_property(
    input: Operand,
    /,
    *,
    key: Literal["layout", "source_info", "index"],
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def grid_mask(
    image: TensorLike,
    /,
    *,
    tile: int | Tensor | None = 100,
    ratio: float | Tensor | None = 0.5,
    angle: float | Tensor | None = 0.0,
    shift_x: float | Tensor | None = 0.0,
    shift_y: float | Tensor | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Blackens the squares of a regular grid, as the augmentation of that name does.

        ndd.grid_mask(images, tile=60, ratio=0.4, angle=0.3)

    Args:
        tile: Distance between the squares in pixels.
        ratio: Side of a square over that distance.
        angle: How far the grid is turned, in radians.
        shift_x: How far it is moved across, in pixels.
        shift_y: How far it is moved down.
    """
@overload
def grid_mask(
    image: Operand,
    /,
    *,
    tile: int | Tensor | Batch | None = 100,
    ratio: float | Tensor | Batch | None = 0.5,
    angle: float | Tensor | Batch | None = 0.0,
    shift_x: float | Tensor | Batch | None = 0.0,
    shift_y: float | Tensor | Batch | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def hsv(
    image: TensorLike,
    /,
    *,
    hue: float | Tensor | None = 0.0,
    saturation: float | Tensor | None = 1.0,
    value: float | Tensor | None = 1.0,
    dtype: DTypeLike | None = uint8,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes hue, saturation and value of an RGB image.

        ndd.hsv(images, hue=30.0, saturation=1.2, value=0.9)

    Args:
        hue: Angle by which hues are turned, in degrees.
        saturation: Factor of the distance from grey; 0 takes the colour away.
        value: Factor of all values.
        dtype: Type of the result, whatever the image's: uint8, int16, int32, float16 or float32.
    """
@overload
def hsv(
    image: Operand,
    /,
    *,
    hue: float | Tensor | Batch | None = 0.0,
    saturation: float | Tensor | Batch | None = 1.0,
    value: float | Tensor | Batch | None = 1.0,
    dtype: DTypeLike | None = uint8,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def hue(
    image: TensorLike,
    /,
    *,
    hue: float | Tensor | None = 0.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Turns the hues of an RGB image.

        ndd.hue(images, hue=ndd.random.uniform(range=(-30, 30), batch_size=64))

    Args:
        hue: Angle in degrees.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
@overload
def hue(
    image: Operand,
    /,
    *,
    hue: float | Tensor | Batch | None = 0.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def jitter(
    image: TensorLike,
    /,
    *,
    nDegree: int | None = 2,
    mask: int | Tensor | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Moves every pixel by a random amount, as seen through frosted glass.

        ndd.jitter(images, nDegree=6, rng=ndd.random.RNG(7))

    Args:
        nDegree: Pixels come from up to half as far away, across and down.
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR; shifts are whole pixels, so that both show the same.
        fill_value: Colour of what comes from outside the image.
    """
@overload
def jitter(
    image: Operand,
    /,
    *,
    nDegree: int | None = 2,
    mask: int | Tensor | Batch | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def jpeg_compression_distortion(
    input: TensorLike,
    /,
    *,
    quality: int | Tensor | None = 50,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Leaves on RGB images the marks of having been stored as a JPEG, with chroma at half the resolution.

        ndd.jpeg_compression_distortion(images, quality=ndd.random.uniform(range=(20, 90), batch_size=64))

    Args:
        quality: From 1, the worst, to 100, the best; numbers beyond are taken for the nearest of them.
    """
@overload
def jpeg_compression_distortion(
    input: Operand,
    /,
    *,
    quality: int | Tensor | Batch | None = 50,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def laplacian(
    input: TensorLike,
    /,
    *,
    window_size: int | Sequence[int] | Array | Tensor | None = [3],
    smoothing_size: int | Sequence[int] | Array | Tensor | None = None,
    scale: float | Sequence[float] | Array | Tensor | None = [1.0],
    normalized_kernel: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Sums the second derivatives along the spatial axes, each smoothed along the others: edges and spots stand out.

        ndd.laplacian(images, window_size=5, normalized_kernel=True)
        ndd.laplacian(images, smoothing_size=1, dtype=ndd.float32)

    The windows are those of the Sobel filter; beyond the edges the image is mirrored. All axes but frames and
    channels, at most three, are used; without a layout, all.

    Args:
        window_size: Odd size, 3 to 31, of the derivative's window: one for all axes or one for each.
        smoothing_size: Odd size, 1 to 31, of the smoothing window along each axis; the derivative's size by default.
        scale: Factor of each derivative: one for all axes or one for each.
        normalized_kernel: Scale every derivative so that its size does not depend on that of the windows.
        dtype: The input's type, or float32.
    """
@overload
def laplacian(
    input: Operand,
    /,
    *,
    window_size: int | Sequence[int] | Array | Tensor | Batch | None = [3],
    smoothing_size: int | Sequence[int] | Array | Tensor | Batch | None = None,
    scale: float | Sequence[float] | Array | Tensor | Batch | None = [1.0],
    normalized_kernel: bool | None = False,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def lookup_table(
    input: TensorLike,
    /,
    *,
    keys: int | Sequence[int] | Array | None = [],
    values: float | Sequence[float] | Array | None = [],
    default_value: float | None = 0.0,
    dtype: DTypeLike | None = float32,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Replaces every integer by the value that belongs to it.

        ndd.lookup_table(labels, keys=[3, 7], values=[0.5, 1.5], default_value=-1)

    Args:
        keys: Integers from 0 to 65535. Where one occurs several times, its last value counts.
        values: A value for every key.
        default_value: What all other integers are replaced by.
        dtype: Element type of the result; values are rounded and saturated.
    """
@overload
def lookup_table(
    input: Operand,
    /,
    *,
    keys: int | Sequence[int] | Array | None = [],
    values: float | Sequence[float] | Array | None = [],
    default_value: float | None = 0.0,
    dtype: DTypeLike | None = float32,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def mel_filter_bank(
    input: TensorLike,
    /,
    *,
    nfilter: int | None = 128,
    sample_rate: float | None = 44100.0,
    freq_low: float | None = 0.0,
    freq_high: float | None = 0.0,
    mel_formula: Literal["slaney", "htk"] | None = "slaney",
    normalize: bool | None = True,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Gathers the frequencies of a spectrogram into bands that are evenly spaced on the mel scale.

        ndd.mel_filter_bank(ndd.spectrogram(audio, nfft=512), sample_rate=16000, nfilter=80)

    The axis of frequencies is called "f" in the layout; without a layout it is the last but one. It is taken to reach
    from 0 to half the sample rate. Each band is a triangle from the middle of the band below to that of the band above.

    Args:
        nfilter: Number of bands.
        sample_rate: Of the sound, in Hz.
        freq_low: Where the first band begins, in Hz.
        freq_high: Where the last band ends, in Hz; half the sample rate where it is not positive.
        mel_formula: "slaney" for a scale that is linear up to 1 kHz and logarithmic above; "htk" for one formula, as
            in the toolkit of that name.
        normalize: Divide each band by half its width in Hz, so that all have the same area.
    """
@overload
def mel_filter_bank(
    input: Operand,
    /,
    *,
    nfilter: int | None = 128,
    sample_rate: float | None = 44100.0,
    freq_low: float | None = 0.0,
    freq_high: float | None = 0.0,
    mel_formula: Literal["slaney", "htk"] | None = "slaney",
    normalize: bool | None = True,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def mfcc(
    input: TensorLike,
    /,
    *,
    axis: int | None = 0,
    dct_type: int | None = 2,
    n_mfcc: int | None = 20,
    normalize: bool | None = False,
    lifter: float | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Takes the first coefficients of a cosine transform of a mel spectrogram in decibels.

        ndd.mfcc(ndd.to_decibels(mel), n_mfcc=13, normalize=True)

    Args:
        axis: The axis of frequencies.
        dct_type: Which of the four kinds of the transform, 1 to 4.
        n_mfcc: Number of coefficients; at most as many as there are frequencies.
        normalize: Make the transform orthonormal. Not for `dct_type` 1.
        lifter: Scales coefficient k by 1 + lifter / 2 * sin(pi * (k + 1) / lifter), which brings up the higher ones;
            0 does nothing.
    """
@overload
def mfcc(
    input: Operand,
    /,
    *,
    axis: int | None = 0,
    dct_type: int | None = 2,
    n_mfcc: int | None = 20,
    normalize: bool | None = False,
    lifter: float | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def multi_paste(
    input_0: TensorLike,
    /,
    *inputs: TensorLike,
    in_ids: int | Sequence[int] | Array | Tensor | None = None,
    output_size: int | Sequence[int] | Array | Tensor | None = None,
    in_anchors: ArrayLike | Tensor | None = None,
    in_anchors_rel: ArrayLike | Tensor | None = None,
    shapes: ArrayLike | Tensor | None = None,
    shapes_rel: ArrayLike | Tensor | None = None,
    out_anchors: ArrayLike | Tensor | None = None,
    out_anchors_rel: ArrayLike | Tensor | None = None,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes every image of regions of others, pasted one over the other on a black canvas.

        ndd.multi_paste(images, in_ids=[3, 0], output_size=[200, 400], out_anchors=[[0, 0], [0, 200]])
        ndd.multi_paste(images, logos, out_anchors=[[0, 0], [8, 8]])

    Args:
        in_ids: Which images of the batch regions are taken from. Without, the first region is of the first input, the
            second of the second, and so on.
        output_size: Height and width of the canvas; those of the inputs without, which must then be alike.
        in_anchors: Top and left of each region in its image; [0, 0] without.
        in_anchors_rel: The same in fractions of the image's height and width, rounded down.
        shapes: Height and width of each region; all from its anchor on without.
        shapes_rel: The same in fractions of the image's height and width, rounded up.
        out_anchors: Top and left of each region on the canvas; [0, 0] without.
        out_anchors_rel: The same in fractions of the canvas's height and width, rounded down.
        dtype: uint8, int16, int32 or float32 instead of the input's type.
    """
@overload
def multi_paste(
    input_0: Operand,
    /,
    *inputs: Operand,
    in_ids: int | Sequence[int] | Array | Tensor | Batch | None = None,
    output_size: int | Sequence[int] | Array | Tensor | Batch | None = None,
    in_anchors: ArrayLike | Tensor | Batch | None = None,
    in_anchors_rel: ArrayLike | Tensor | Batch | None = None,
    shapes: ArrayLike | Tensor | Batch | None = None,
    shapes_rel: ArrayLike | Tensor | Batch | None = None,
    out_anchors: ArrayLike | Tensor | Batch | None = None,
    out_anchors_rel: ArrayLike | Tensor | Batch | None = None,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def nonsilent_region(
    input: TensorLike,
    /,
    *,
    cutoff_db: float | None = -60.0,
    reference_power: float | None = None,
    reset_interval: int | None = 8192,
    window_length: int | None = 2048,
    batch_size: None = None,
    device: Device | str | None = None,
) -> tuple[Tensor, Tensor]:
    """Tells where the part of a signal begins that is not silence, and how long it is.

        begin, length = ndd.nonsilent_region(audio, window_length=512)
        audio = ndd.slice(audio, begin, length, axes=0)

    Sound is from the first to the last window whose mean power is at least `cutoff_db` from the reference. A signal
    that is nowhere that loud gives 0 and 0, as does an empty one; compared with its own maximum, one of zeros is loud
    throughout.

    Args:
        cutoff_db: Windows less powerful than this, relative to the reference, are silent.
        reference_power: What counts as 0 dB; the largest mean power in the signal if None.
        reset_interval: Samples after which the running sum of float signals is made anew, because rounding errors pile
            up in it: a multiple of `window_length`, or -1 for never.
        window_length: Samples that the power is averaged over; a shorter signal is one window.
    """
@overload
def nonsilent_region(
    input: Operand,
    /,
    *,
    cutoff_db: float | None = -60.0,
    reference_power: float | None = None,
    reset_interval: int | None = 8192,
    window_length: int | None = 2048,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, Batch]: ...

@overload
def normalize(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    batch: bool | None = False,
    mean: ArrayLike | Tensor | None = None,
    stddev: ArrayLike | Tensor | None = None,
    ddof: int | None = 0,
    epsilon: float | None = 0.0,
    scale: float | None = 1.0,
    shift: float | None = 0.0,
    dtype: DTypeLike | None = float32,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Brings samples to a mean of 0 and a standard deviation of 1: scale * (input - mean) / stddev + shift.

        ndd.normalize(spectrograms, axes=[1])
        ndd.normalize(images, axis_names="HW", batch=True)

    A standard deviation of zero gives `shift`.

    Args:
        axes: The axes to average over; all without this and `axis_names`.
        axis_names: The same by name.
        batch: Average over all samples together.
        mean: Used instead of the samples' own mean: a number, or an array with extent 1 along the averaged axes.
        stddev: Used instead of the samples' own standard deviation; likewise.
        ddof: Subtracted from the number of elements when the variance is averaged.
        epsilon: Added to the variance, so that small ones do not blow up the result.
        scale: Factor of the result.
        shift: Added to the result.
        dtype: Element type of the result; integers are rounded and saturated.
    """
@overload
def normalize(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    batch: bool | None = False,
    mean: ArrayLike | Tensor | Batch | None = None,
    stddev: ArrayLike | Tensor | Batch | None = None,
    ddof: int | None = 0,
    epsilon: float | None = 0.0,
    scale: float | None = 1.0,
    shift: float | None = 0.0,
    dtype: DTypeLike | None = float32,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def one_hot(
    data: TensorLike,
    /,
    *,
    num_classes: int | None = 0,
    axis: int | None = None,
    axis_name: str | None = None,
    dtype: DTypeLike | None = float32,
    on_value: float | None = 1.0,
    off_value: float | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Marks the class every element stands for along a new axis.

        ndd.one_hot(labels, num_classes=1000)
        ndd.one_hot(masks, num_classes=21, axis=0, axis_name="C")

    An element that is none of the classes is marked nowhere. Batches whose samples all have a single element are taken
    for batches of numbers, unless `axis` is given.

    Args:
        num_classes: How many classes there are, counted from 0.
        axis: Where the new axis is in the result; the last one by default.
        axis_name: What the layout calls it. Without it the result has no layout.
        dtype: Element type.
        on_value: The mark.
        off_value: What stands elsewhere.
    """
@overload
def one_hot(
    data: Operand,
    /,
    *,
    num_classes: int | None = 0,
    axis: int | None = None,
    axis_name: str | None = None,
    dtype: DTypeLike | None = float32,
    on_value: float | None = 1.0,
    off_value: float | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def ones(
    *,
    dtype: DTypeLike | None = int32,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    layout: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """An array of ones.

        ndd.ones(shape=[480, 640, 3], dtype=ndd.uint8, layout="HWC", batch_size=8)

    Args:
        dtype: Element type.
        shape: Shape of the result; a single number by default.
        layout: Layout of the result.
    """
@overload
def ones(
    *,
    dtype: DTypeLike | None = int32,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    layout: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def ones_like(
    data_like: TensorLike,
    /,
    *,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Ones in the shape and layout of another array.

        ndd.ones_like(masks, dtype=ndd.float32)

    Args:
        dtype: Element type; that of `data_like` by default.
    """
@overload
def ones_like(
    data_like: Operand,
    /,
    *,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def optical_flow(
    frames: TensorLike,
    hints: TensorLike | None = None,
    /,
    *,
    preset: float | None = 0.0,
    output_grid: int | None = 4,
    hint_grid: int | None = 4,
    enable_temporal_hints: bool | None = False,
    enable_external_hints: bool | None = False,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Tells for every pixel of a video where it moves to in the next frame.

        ndd.optical_flow(videos.gpu(), output_grid=4, device="gpu")

    The result has a frame less than the video, and in every square of pixels how far it moves across and down. The
    flow is OpenCV's dense inverse search (DIS), found by the CPU: frames are copied to it, and the flow back to the
    device. DALI asks the optical flow engine of NVIDIA GPUs instead, which finds other, similar vectors.

    Args:
        hints: A flow to begin with, a vector for every square of `hint_grid` pixels.
        preset: Speed against quality: 0.0 is slow and good, 0.5 in between, 1.0 fast.
        output_grid: Size of the squares of pixels that share one vector.
        hint_grid: The same of the hints.
        enable_temporal_hints: Begin with the flow of the frames before.
        enable_external_hints: Begin with `hints`.
        image_type: RGB, BGR or GRAY.
    """
@overload
def optical_flow(
    frames: Operand,
    hints: Operand | None = None,
    /,
    *,
    preset: float | None = 0.0,
    output_grid: int | None = 4,
    hint_grid: int | None = 4,
    enable_temporal_hints: bool | None = False,
    enable_external_hints: bool | None = False,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def pad(
    input: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | Tensor | None = None,
    axis_names: str | None = None,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    align: int | Sequence[int] | Array | Tensor | None = None,
    fill_value: float | Tensor | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Makes samples larger at their ends: as large as the largest of the batch, a given shape or a multiple.

        ndd.pad(sentences, fill_value=-1)
        ndd.pad(images, axis_names="HW", align=[32, 32])

    Args:
        axes: The axes to pad; all without this and `axis_names`.
        axis_names: The same by name.
        shape: Extents to reach along these axes; the largest of the batch where it is not positive. Samples that are
            larger stay so.
        align: Extents become multiples of these.
        fill_value: What the new elements hold.
    """
@overload
def pad(
    input: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | Tensor | Batch | None = None,
    axis_names: str | None = None,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    align: int | Sequence[int] | Array | Tensor | Batch | None = None,
    fill_value: float | Tensor | Batch | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def paste(
    image: TensorLike,
    /,
    *,
    fill_value: int | Sequence[int] | Array,
    ratio: float | Tensor,
    n_channels: int | None = 3,
    min_canvas_size: float | Tensor | None = 0.0,
    paste_x: float | Tensor | None = 0.5,
    paste_y: float | Tensor | None = 0.5,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Places an image on a canvas that is larger by some ratio.

        ndd.paste(images, ratio=1.5, fill_value=[124, 116, 104])
        ndd.paste(images, ratio=ndd.random.uniform(range=[1, 4], batch_size=64), fill_value=0)

    Args:
        fill_value: Colour of the canvas: one value, or one for every channel.
        ratio: Height and width of the canvas over those of the image, at least 1.
        n_channels: How many channels the image has, where `fill_value` has a value for each.
        min_canvas_size: Least height and width of the canvas.
        paste_x: Where the image is across the width, from 0 (left) to 1 (right).
        paste_y: Where it is across the height, from 0 (top) to 1 (bottom).
    """
@overload
def paste(
    image: Operand,
    /,
    *,
    fill_value: int | Sequence[int] | Array,
    ratio: float | Tensor | Batch,
    n_channels: int | None = 3,
    min_canvas_size: float | Tensor | Batch | None = 0.0,
    paste_x: float | Tensor | Batch | None = 0.5,
    paste_y: float | Tensor | Batch | None = 0.5,
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
def per_frame(
    input: TensorLike,
    /,
    *,
    replace: bool | None = False,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Says that the first axis of an argument stands for the frames of a sequence.

        ndd.brightness(videos, brightness=ndd.per_frame(ndd.tensor([0.5, 1.0, 1.5])))

    The elements stay what they are; only the layout changes. A single row serves all frames.

    Args:
        replace: Also relabel an input whose layout begins with another letter.
    """
@overload
def per_frame(
    input: Operand,
    /,
    *,
    replace: bool | None = False,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def permute_batch(
    data: TensorLike,
    /,
    *,
    indices: int | Sequence[int] | Array | Tensor,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Puts the samples of a batch in another order; nothing is copied.

        ndd.permute_batch(images, indices=ndd.batch_permutation(batch_size=64))
        ndd.permute_batch(images, indices=[2, 0, 1])

    Samples may be repeated or left out.

    Args:
        indices: For every sample of the result, which one of the input it is.
    """
@overload
def permute_batch(
    data: Operand,
    /,
    *,
    indices: int | Sequence[int] | Array | Tensor | Batch,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def power_spectrum(
    input: TensorLike,
    /,
    *,
    axis: int | None = -1,
    nfft: int | None = None,
    power: int | None = 2,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Tells how strong each frequency is in signals along one axis.

        ndd.power_spectrum(audio, nfft=1024)

    The axis becomes nfft // 2 + 1 frequencies, from 0 to half the sample rate.

    Args:
        axis: The axis of time, counted from the end where negative.
        nfft: Length of the Fourier transform: longer signals are cut, shorter ones padded with zeros. The length of
            the axis by default, or where it is not positive.
        power: 2 for squared magnitudes, 1 for magnitudes.
    """
@overload
def power_spectrum(
    input: Operand,
    /,
    *,
    axis: int | None = -1,
    nfft: int | None = None,
    power: int | None = 2,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def preemphasis_filter(
    input: TensorLike,
    /,
    *,
    border: Literal["clamp", "zero", "reflect"] | None = "clamp",
    dtype: DTypeLike | None = float32,
    preemph_coeff: float | Tensor | None = 0.97,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Subtracts from every sample of a signal a share of the one before: out[i] = in[i] - preemph_coeff * in[i - 1].

        ndd.preemphasis_filter(audio, preemph_coeff=0.95)

    A sample with several axes counts as one signal, in the order it is stored: filter channels one by one.

    Args:
        border: What comes before the first element: "clamp" for itself, "zero", or "reflect" for the second one.
        dtype: Element type of the result; integers are rounded and saturated.
        preemph_coeff: The share.
    """
@overload
def preemphasis_filter(
    input: Operand,
    /,
    *,
    border: Literal["clamp", "zero", "reflect"] | None = "clamp",
    dtype: DTypeLike | None = float32,
    preemph_coeff: float | Tensor | Batch | None = 0.97,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def random_bbox_crop(
    boxes: TensorLike,
    labels: TensorLike | None = None,
    /,
    *,
    thresholds: float | Sequence[float] | Array | None = [0.0],
    threshold_type: Literal["iou", "overlap"] | None = "iou",
    all_boxes_above_threshold: bool | None = True,
    allow_no_crop: bool | None = None,
    bbox_prune_threshold: float | None = None,
    scaling: float | Sequence[float] | Array | None = None,
    aspect_ratio: float | Sequence[float] | Array | None = None,
    num_attempts: int | None = 1,
    total_num_attempts: int | None = -1,
    quiet: bool | None = False,
    bbox_layout: str | None = None,
    ltrb: bool | None = None,
    crop_shape: int | Sequence[int] | Array | Tensor | None = None,
    input_shape: int | Sequence[int] | Array | Tensor | None = None,
    shape_layout: str | None = None,
    output_bbox_indices: bool | None = False,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Any:
    """Draws a crop window that keeps enough of an image's boxes, and tells where boxes lie in it.

        anchor, shape, boxes, labels = ndd.random_bbox_crop(boxes, labels, thresholds=[0.1, 0.5], scaling=[0.3, 1.0])
        images = ndd.slice(images, anchor, shape)

    One of the thresholds is drawn, then `num_attempts` windows, and the last that overlaps with the boxes that much is
    taken. Where there is none, or it keeps no box, another threshold is drawn. Boxes are in shares of the image
    before and of the window after. Labels go with their boxes.

    Args:
        labels: A label for every box.
        thresholds: Least overlaps to draw from.
        threshold_type: "iou", intersection over union of box and window; "overlap", the share of the box inside.
        all_boxes_above_threshold: Every box must overlap that much; without it any.
        allow_no_crop: Not to crop is one more choice. Yes, unless there is `crop_shape`.
        bbox_prune_threshold: Least share of a box inside the window to keep it. By default its centre must be inside.
        scaling: Range of the window's extents, in shares of the image; the whole by default.
        aspect_ratio: Range of width over height; with six numbers also of width and of height over depth.
            1 by default: in shares, or in pixels where there is `input_shape`.
        num_attempts: Windows to try for one threshold.
        total_num_attempts: Windows to try before the best of them is taken; -1 for no end.
        quiet: Do not warn when it comes to that.
        bbox_layout: Letters of a box: x, y, z where it starts, X, Y, Z where it ends or W, H, D how large it is.
        ltrb: Outdated: True for "xyXY", False for "xyWH".
        crop_shape: Size of the window in pixels. Then anchor and shape are pixels as well.
        input_shape: Size of the image in pixels.
        shape_layout: Order of the numbers in both; width, height, depth by default.
        output_bbox_indices: Return also which boxes were kept.
    """
@overload
def random_bbox_crop(
    boxes: Operand,
    labels: Operand | None = None,
    /,
    *,
    thresholds: float | Sequence[float] | Array | None = [0.0],
    threshold_type: Literal["iou", "overlap"] | None = "iou",
    all_boxes_above_threshold: bool | None = True,
    allow_no_crop: bool | None = None,
    bbox_prune_threshold: float | None = None,
    scaling: float | Sequence[float] | Array | None = None,
    aspect_ratio: float | Sequence[float] | Array | None = None,
    num_attempts: int | None = 1,
    total_num_attempts: int | None = -1,
    quiet: bool | None = False,
    bbox_layout: str | None = None,
    ltrb: bool | None = None,
    crop_shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    input_shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    shape_layout: str | None = None,
    output_bbox_indices: bool | None = False,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Any: ...

@overload
def random_crop_generator(
    size: TensorLike,
    /,
    *,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> tuple[Tensor, Tensor]:
    """Draws where `random_resized_crop` would cut an image of that size: the top left corner and the extent.

        anchor, shape = ndd.random_crop_generator(ndd.peek_image_shape(jpegs))
        images = ndd.decoders.image_slice(jpegs, start=anchor, shape=shape, axis_names="HW")

    Args:
        size: Height and width of the image, and perhaps the number of its channels.
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of the window's width over its height.
        num_attempts: How often to try before taking the largest window that fits.
    """
@overload
def random_crop_generator(
    size: Operand,
    /,
    *,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, Batch]: ...

@overload
def random_resized_crop(
    image: TensorLike,
    /,
    *,
    size: int | Sequence[int] | Array,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    interp_type: InterpType | str | Tensor | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | None = None,
    min_filter: InterpType | str | Tensor | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Cuts a random window out of an image and resizes it, as image classifiers are trained.

        ndd.random_resized_crop(images, size=[224, 224])

    Args:
        size: Height and width of the result, or one number for both.
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of its width over its height.
        num_attempts: How often to try for a window that fits, before the largest allowed one is taken.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
@overload
def random_resized_crop(
    image: Operand,
    /,
    *,
    size: int | Sequence[int] | Array,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    interp_type: InterpType | str | Tensor | Batch | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | Batch | None = None,
    min_filter: InterpType | str | Tensor | Batch | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def reinterpret(
    data: TensorLike,
    shape_input: TensorLike | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | None = None,
    src_dims: int | Sequence[int] | Array | Tensor | None = None,
    layout: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Sees the same bytes as elements of another type, shape or layout; nothing is copied.

        ndd.reinterpret(packed, dtype=ndd.float32)
        ndd.reinterpret(packed, dtype=ndd.int16, shape=[-1, 2])

    Without a shape the innermost axis grows or shrinks with the size of an element. The shape may also be the second
    input.

    Args:
        dtype: The type the bytes are taken for.
        shape: The new extents, counted in elements of the new type; one of them may be -1, for whatever is left.
        rel_shape: The new extents as factors of the old ones; one of them may be -1.
        src_dims: For every new axis, the old one whose extent it has, or `rel_shape` multiplies; -1 for a new one.
        layout: Layout of the result; "" for none. Without it the layout stays where the number of axes does.
    """
@overload
def reinterpret(
    data: Operand,
    shape_input: Operand | None = None,
    /,
    *,
    dtype: DTypeLike | None = None,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | Batch | None = None,
    src_dims: int | Sequence[int] | Array | Tensor | Batch | None = None,
    layout: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def reshape(
    data: TensorLike,
    shape_input: TensorLike | None = None,
    /,
    *,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | None = None,
    src_dims: int | Sequence[int] | Array | Tensor | None = None,
    layout: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Sees the same elements in another shape or layout; nothing is copied.

        ndd.reshape(images, shape=[-1])
        ndd.reshape(images, src_dims=[0, 1, -1], rel_shape=[1, 1, 1], layout="HWC")

    The shape may also be the second input.

    Args:
        shape: The new extents; one of them may be -1, for whatever is left.
        rel_shape: The new extents as factors of the old ones; one of them may be -1.
        src_dims: For every new axis, the old one whose extent it has, or `rel_shape` multiplies; -1 for a new one.
        layout: Layout of the result; "" for none. Without it the layout stays where the number of axes does.
    """
@overload
def reshape(
    data: Operand,
    shape_input: Operand | None = None,
    /,
    *,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | Batch | None = None,
    src_dims: int | Sequence[int] | Array | Tensor | Batch | None = None,
    layout: str | None = None,
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
def resize_crop_mirror(
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
    crop: float | Sequence[float] | Array | Tensor | None = None,
    crop_h: float | Tensor | None = None,
    crop_w: float | Tensor | None = None,
    crop_d: float | Tensor | None = None,
    crop_pos_x: float | Tensor | None = 0.5,
    crop_pos_y: float | Tensor | None = 0.5,
    crop_pos_z: float | Tensor | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    mirror: int | Tensor | None = 0,
    interp_type: InterpType | str | Tensor | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | None = None,
    min_filter: InterpType | str | Tensor | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Resizes an image, cuts a window out of the result and mirrors it, all in one pass.

        ndd.resize_crop_mirror(images, resize_shorter=256, crop=[224, 224], mirror=flags)

    Only the pixels of the window are computed. It may reach beyond the resized image: the edge pixel goes on there.

    Args:
        size: Height and width (depth, height and width for volumes); 0 keeps the aspect ratio, negative mirrors.
        resize_x: Width of the resized image.
        resize_y: Its height.
        resize_z: Its depth.
        resize_shorter: Length of its shorter edge; the aspect ratio is kept.
        resize_longer: Length of its longer edge; the aspect ratio is kept.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the size.
        max_size: Upper limit of the extents.
        subpixel_scale: Shift the sampled region by fractions of a pixel so that a rounded size keeps the exact scale.
        roi_start: First corner of the region to resample.
        roi_end: Opposite corner; beyond the first mirrors.
        roi_relative: The region is given in fractions of the input's size.
        crop: Height and width of the window; depth, height and width for volumes.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Depth of the window; 0 keeps all.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: Where it is across the depth, from 0 (front) to 1 (back).
        rounding: How its first pixel is found from that: "round" or "truncate".
        mirror: 1 mirrors left to right, 2 top to bottom, 4 front to back; sums of these do several.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
@overload
def resize_crop_mirror(
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
    crop: float | Sequence[float] | Array | Tensor | Batch | None = None,
    crop_h: float | Tensor | Batch | None = None,
    crop_w: float | Tensor | Batch | None = None,
    crop_d: float | Tensor | Batch | None = None,
    crop_pos_x: float | Tensor | Batch | None = 0.5,
    crop_pos_y: float | Tensor | Batch | None = 0.5,
    crop_pos_z: float | Tensor | Batch | None = 0.5,
    rounding: Literal["round", "truncate"] | None = "round",
    mirror: int | Tensor | Batch | None = 0,
    interp_type: InterpType | str | Tensor | Batch | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | Batch | None = None,
    min_filter: InterpType | str | Tensor | Batch | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def roi_random_crop(
    image: TensorLike | None = None,
    /,
    *,
    crop_shape: int | Sequence[int] | Array | Tensor,
    roi_start: int | Sequence[int] | Array | Tensor,
    roi_end: int | Sequence[int] | Array | Tensor | None = None,
    roi_shape: int | Sequence[int] | Array | Tensor | None = None,
    in_shape: int | Sequence[int] | Array | Tensor | None = None,
    rng: RNG | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Draws where to put a crop window so that it has as much of a region as possible.

        start = ndd.roi_random_crop(volumes, crop_shape=[64, 64, 64], roi_start=start, roi_end=end)
        patches = ndd.slice(volumes, start=start, shape=[64, 64, 64], axes=[0, 1, 2])

    A window larger than the region contains it, a smaller one lies in it. Where the image or its shape is given the
    window does not leave it.

    Args:
        image: The image to be cropped, for its shape.
        crop_shape: Size of the window.
        roi_start: Where the region starts.
        roi_end: Where it ends.
        roi_shape: Its size, instead of its end.
        in_shape: Shape of the image, instead of the image.
    """
@overload
def roi_random_crop(
    image: Operand | None = None,
    /,
    *,
    crop_shape: int | Sequence[int] | Array | Tensor | Batch,
    roi_start: int | Sequence[int] | Array | Tensor | Batch,
    roi_end: int | Sequence[int] | Array | Tensor | Batch | None = None,
    roi_shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    in_shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    rng: RNG | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def rotate(
    image: TensorLike,
    /,
    *,
    angle: float | Tensor,
    axis: float | Sequence[float] | Array | Tensor | None = None,
    keep_size: bool | None = False,
    size: float | Sequence[float] | Array | Tensor | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    fill_value: float | None = None,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Turns an image about its centre, or a volume about an axis through it.

    The result is made large enough for the whole turned image. The frames of a sequence share one size, also where
    each has an angle of its own.

        ndd.rotate(images, angle=ndd.random.uniform(range=(-20, 20), batch_size=64), fill_value=0)

    Args:
        angle: Degrees, counter-clockwise.
        axis: For volumes: the axis to turn about, as x, y and z. It needs not have length 1.
        keep_size: Keep the size of the input and cut off what does not fit.
        size: Height and width (depth, height and width) of the result, with the image in its middle.
        interp_type: INTERP_LINEAR or INTERP_NN.
        fill_value: Colour of what was outside the image; without it the edge goes on.
        dtype: The input's type, or either of the two float32.
    """
@overload
def rotate(
    image: Operand,
    /,
    *,
    angle: float | Tensor | Batch,
    axis: float | Sequence[float] | Array | Tensor | Batch | None = None,
    keep_size: bool | None = False,
    size: float | Sequence[float] | Array | Tensor | Batch | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    fill_value: float | None = None,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def saturation(
    image: TensorLike,
    /,
    *,
    saturation: float | Tensor | None = 1.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Changes how colourful an RGB image is.

        ndd.saturation(images, saturation=1.5)

    Args:
        saturation: Factor of the distance from grey; 0 takes the colour away.
        dtype: uint8, int16, int32, float16 or float32 instead of the image's type; rounded and saturated.
        image_type: Has no effect: images are taken to be RGB.
    """
@overload
def saturation(
    image: Operand,
    /,
    *,
    saturation: float | Tensor | Batch | None = 1.0,
    dtype: DTypeLike | None = None,
    image_type: ImageType | str | None = ImageType.RGB,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def sequence_rearrange(
    sequence: TensorLike,
    /,
    *,
    new_order: int | Sequence[int] | Array | Tensor,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Puts the frames of sequences in another order.

        ndd.sequence_rearrange(videos, new_order=[3, 2, 1, 0])

    Frames may be repeated or left out.

    Args:
        new_order: For every frame of the result, which one of the input it is.
    """
@overload
def sequence_rearrange(
    sequence: Operand,
    /,
    *,
    new_order: int | Sequence[int] | Array | Tensor | Batch,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def slice(
    data: TensorLike,
    anchor: TensorLike | None = None,
    shape_input: TensorLike | None = None,
    /,
    *,
    start: int | Sequence[int] | Array | Tensor | None = None,
    end: int | Sequence[int] | Array | Tensor | None = None,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    rel_start: float | Sequence[float] | Array | Tensor | None = None,
    rel_end: float | Sequence[float] | Array | Tensor | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | None = None,
    axes: int | Sequence[int] | Array | Tensor | None = None,
    axis_names: str | None = "WH",
    normalized_anchor: bool | None = True,
    normalized_shape: bool | None = True,
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Cuts out the part between two corners, along chosen axes; the other axes stay whole.

        ndd.slice(images, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names="HW")
        ndd.slice(signal, start=100, end=200, axes=0)

    The corners are also taken by position: `anchor` and `shape`, as integers or as fractions of the input.

    Args:
        start: First corner.
        end: Opposite corner.
        shape: Extents of the part, instead of its end.
        rel_start: First corner, in fractions of the input.
        rel_end: Opposite corner, in fractions of the input.
        rel_shape: Extents of the part, in fractions of the input.
        axes: The axes the corners are given for, instead of `axis_names`.
        axis_names: The same by name; by default width, then height.
        normalized_anchor: An `anchor` of floats is in fractions of the input.
        normalized_shape: A `shape` of floats by position is in fractions of the input.
        out_of_bounds_policy: What to do with a part that reaches beyond the input, as in `crop`.
        fill_values: What to pad with: one value, or one per channel.
        dtype: uint8, float16 or float32 instead of the input's type; fractions are cut off.
    """
@overload
def slice(
    data: Operand,
    anchor: Operand | None = None,
    shape_input: Operand | None = None,
    /,
    *,
    start: int | Sequence[int] | Array | Tensor | Batch | None = None,
    end: int | Sequence[int] | Array | Tensor | Batch | None = None,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    rel_start: float | Sequence[float] | Array | Tensor | Batch | None = None,
    rel_end: float | Sequence[float] | Array | Tensor | Batch | None = None,
    rel_shape: float | Sequence[float] | Array | Tensor | Batch | None = None,
    axes: int | Sequence[int] | Array | Tensor | Batch | None = None,
    axis_names: str | None = "WH",
    normalized_anchor: bool | None = True,
    normalized_shape: bool | None = True,
    out_of_bounds_policy: Literal["error", "pad", "constant", "const", "trim_to_shape", "edge", "clamp", "reflect", "reflect_1001", "reflect_101", "wrap"] | None = "error",
    fill_values: float | Sequence[float] | Array | None = [0.0],
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def spectrogram(
    input: TensorLike,
    /,
    *,
    nfft: int | None = None,
    window_length: int | None = 512,
    window_step: int | None = 256,
    window_fn: float | Sequence[float] | Array | None = None,
    center_windows: bool | None = True,
    reflect_padding: bool | None = True,
    power: int | None = 2,
    layout: Literal["ft", "tf"] | None = "ft",
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Tells how strong each frequency is in overlapping windows of a signal.

        features = ndd.spectrogram(audio, nfft=512, window_length=400, window_step=160)
        features = ndd.to_decibels(ndd.mel_filter_bank(features, sample_rate=16000, nfilter=80), cutoff_db=-80)

    The signal is float32 with one axis, or others of extent 1. There are nfft // 2 + 1 frequencies, from 0 to half the
    sample rate. Called one after the other as above, the operators run as one without storing what is in between.

    Args:
        nfft: Length of the Fourier transform; windows are padded with zeros up to it. The window's length by default.
        window_length: Samples in a window.
        window_step: Samples from one window to the next.
        window_fn: Weights of the samples in a window, `window_length` of them; a Hann window by default.
        center_windows: Centre windows at multiples of `window_step`, with the signal padded at both ends. Otherwise
            they begin there, and only a signal shorter than one window is padded, if less than a step is missing.
        reflect_padding: Pad centred windows with the mirrored signal rather than with zeros.
        power: 2 for squared magnitudes, 1 for magnitudes.
        layout: "ft" for a row per frequency, "tf" for a row per window.
    """
@overload
def spectrogram(
    input: Operand,
    /,
    *,
    nfft: int | None = None,
    window_length: int | None = 512,
    window_step: int | None = 256,
    window_fn: float | Sequence[float] | Array | None = None,
    center_windows: bool | None = True,
    reflect_padding: bool | None = True,
    power: int | None = 2,
    layout: Literal["ft", "tf"] | None = "ft",
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def sphere(
    image: TensorLike,
    /,
    *,
    mask: int | Tensor | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Shows an image as if through a glass ball, its middle magnified.

        ndd.sphere(images, mask=ndd.random.coin_flip(batch_size=64))

    Args:
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR.
        fill_value: Colour of what comes from outside the image.
    """
@overload
def sphere(
    image: Operand,
    /,
    *,
    mask: int | Tensor | Batch | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def squeeze(
    data: TensorLike,
    /,
    *,
    axes: int | Sequence[int] | Array | Tensor | None = None,
    axis_names: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Takes away axes of extent 1; nothing is copied.

        ndd.squeeze(masks, axes=-1)
        ndd.squeeze(masks, axis_names="C")

    Args:
        axes: Which axes; negative numbers count from the last one.
        axis_names: Their names in the layout, instead.
    """
@overload
def squeeze(
    data: Operand,
    /,
    *,
    axes: int | Sequence[int] | Array | Tensor | Batch | None = None,
    axis_names: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def stack(
    first: TensorLike,
    /,
    *inputs: TensorLike,
    axis: int | None = 0,
    axis_name: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Joins arrays of equal shape along a new axis.

        ndd.stack(red, green, blue, axis=-1, axis_name="C")

    Args:
        axis: Where the new axis is in the result; negative numbers count from its last axis.
        axis_name: What the layout calls it. Without it the result has no layout.
    """
@overload
def stack(
    first: Operand,
    /,
    *inputs: Operand,
    axis: int | None = 0,
    axis_name: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def tensor_resize(
    input: TensorLike,
    /,
    *,
    sizes: float | Sequence[float] | Array | Tensor | None = None,
    scales: float | Sequence[float] | Array | Tensor | None = None,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    mode: Literal["default", "stretch", "not_larger", "not_smaller"] | None = "default",
    max_size: float | Sequence[float] | Array | None = None,
    size_rounding: Literal["round", "truncate", "ceil"] | None = "round",
    subpixel_scale: bool | None = True,
    alignment: float | Sequence[float] | Array | Tensor | None = [0.5],
    roi_start: float | Sequence[float] | Array | Tensor | None = None,
    roi_end: float | Sequence[float] | Array | Tensor | None = None,
    roi_relative: bool | None = False,
    interp_type: InterpType | str | Tensor | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | None = None,
    min_filter: InterpType | str | Tensor | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Resamples any axes of an array to other extents.

        ndd.tensor_resize(spectrograms, sizes=[128], axes=[1])
        ndd.tensor_resize(heatmaps, scales=[4.0, 4.0], axis_names="HW", interp_type=types.INTERP_CUBIC)

    Args:
        sizes: Extents of the result along the axes; 0 keeps the aspect ratio, negative mirrors.
        scales: The same as multiples of the input's extents.
        axes: The axes to resample; all without this and `axis_names`.
        axis_names: The same by name.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the sizes.
        max_size: Upper limit of the extents.
        size_rounding: How fractions of an extent are rounded: "round", "truncate" or "ceil".
        subpixel_scale: Shift the sampled region by fractions of an element so that a rounded extent keeps the exact
            scale.
        alignment: The point that stays where it is in that shift, from 0, the start of the region, to 1, its end.
        roi_start: Start of the region to resample, along each of the axes.
        roi_end: End of the region; before its start mirrors.
        roi_relative: The region is given in fractions of the input's extents.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where an extent grows, if not `interp_type`.
        min_filter: Filter where an extent shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
@overload
def tensor_resize(
    input: Operand,
    /,
    *,
    sizes: float | Sequence[float] | Array | Tensor | Batch | None = None,
    scales: float | Sequence[float] | Array | Tensor | Batch | None = None,
    axes: int | Sequence[int] | Array | None = None,
    axis_names: str | None = None,
    mode: Literal["default", "stretch", "not_larger", "not_smaller"] | None = "default",
    max_size: float | Sequence[float] | Array | None = None,
    size_rounding: Literal["round", "truncate", "ceil"] | None = "round",
    subpixel_scale: bool | None = True,
    alignment: float | Sequence[float] | Array | Tensor | Batch | None = [0.5],
    roi_start: float | Sequence[float] | Array | Tensor | Batch | None = None,
    roi_end: float | Sequence[float] | Array | Tensor | Batch | None = None,
    roi_relative: bool | None = False,
    interp_type: InterpType | str | Tensor | Batch | None = InterpType.INTERP_LINEAR,
    mag_filter: InterpType | str | Tensor | Batch | None = None,
    min_filter: InterpType | str | Tensor | Batch | None = None,
    antialias: bool | None = True,
    dtype: DTypeLike | None = None,
    minibatch_size: int | None = 32,
    temp_buffer_hint: int | None = 0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def to_decibels(
    input: TensorLike,
    /,
    *,
    multiplier: float | None = 10.0,
    reference: float | None = None,
    cutoff_db: float | None = -200.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Turns magnitudes into decibels: multiplier * log10(input / reference), at least `cutoff_db`.

        ndd.to_decibels(power, cutoff_db=-80)
        ndd.to_decibels(amplitude, multiplier=20, reference=1)

    What is not positive, and NaN, becomes `cutoff_db`.

    Args:
        multiplier: 10 for powers, 20 for amplitudes.
        reference: What counts as 0 dB; the largest value of the sample without it.
        cutoff_db: Smaller results become this.
    """
@overload
def to_decibels(
    input: Operand,
    /,
    *,
    multiplier: float | None = 10.0,
    reference: float | None = None,
    cutoff_db: float | None = -200.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def transpose(
    input: TensorLike,
    /,
    *,
    perm: int | Sequence[int] | Array | None = None,
    output_layout: str | None = None,
    transpose_layout: bool | None = True,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Permutes the axes.

        ndd.transpose(images, perm=[2, 0, 1])
        ndd.transpose(images, output_layout="CHW")

    Args:
        perm: For every axis of the result, which axis of the input it is. Without it the axes come in the order of
            `output_layout` where that names the input's axes, else in reverse.
        output_layout: Layout of the result.
        transpose_layout: Permute the layout with the axes; otherwise it stays as it is.
    """
@overload
def transpose(
    input: Operand,
    /,
    *,
    perm: int | Sequence[int] | Array | None = None,
    output_layout: str | None = None,
    transpose_layout: bool | None = True,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def warp_affine(
    data: TensorLike,
    mtx: TensorLike | None = None,
    /,
    *,
    matrix: ArrayLike | Tensor | None = None,
    inverse_map: bool | None = True,
    size: float | Sequence[float] | Array | Tensor | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    fill_value: float | None = None,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Moves, turns, stretches and shears an image or a volume by a matrix.

    The matrix has two rows of three numbers, for volumes three rows of four. It takes x, y (and z) in the result to
    where the pixel comes from; pixels have their centres at halves.

        ndd.warp_affine(images, matrix=[0.5, 0, 0, 0, 0.5, 0])
        ndd.warp_affine(images, ndd.transforms.shear(angles=[10, 0]), inverse_map=False, fill_value=0)

    Args:
        mtx: The matrix as a second input.
        matrix: The matrix as an argument.
        inverse_map: The matrix goes from the result to the image; otherwise from the image to the result.
        size: Height and width (depth, height and width) of the result; the input's by default.
        interp_type: INTERP_LINEAR or INTERP_NN.
        fill_value: Colour of what was outside the image; without it the edge goes on.
        dtype: The input's type, or either of the two float32.
    """
@overload
def warp_affine(
    data: Operand,
    mtx: Operand | None = None,
    /,
    *,
    matrix: ArrayLike | Tensor | Batch | None = None,
    inverse_map: bool | None = True,
    size: float | Sequence[float] | Array | Tensor | Batch | None = None,
    interp_type: InterpType | str | None = InterpType.INTERP_LINEAR,
    fill_value: float | None = None,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def water(
    image: TensorLike,
    /,
    *,
    ampl_x: float | None = 10.0,
    ampl_y: float | None = 10.0,
    freq_x: float | None = 0.04908739,
    freq_y: float | None = 0.04908739,
    phase_x: float | None = 0.0,
    phase_y: float | None = 0.0,
    mask: int | Tensor | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Shows an image as if under water: rows are shifted by one wave, columns by another.

        ndd.water(images, ampl_x=4, freq_x=0.2, interp_type=types.INTERP_LINEAR)

    Args:
        ampl_x: How far rows are shifted, in pixels.
        ampl_y: How far columns are shifted.
        freq_x: Angular frequency of the wave that shifts rows, per pixel down.
        freq_y: Angular frequency of the wave that shifts columns, per pixel across.
        phase_x: Where the first wave begins, as an angle.
        phase_y: Where the second wave begins.
        mask: 0 leaves the image as it is.
        interp_type: INTERP_NN or INTERP_LINEAR.
        fill_value: Colour of what comes from outside the image.
    """
@overload
def water(
    image: Operand,
    /,
    *,
    ampl_x: float | None = 10.0,
    ampl_y: float | None = 10.0,
    freq_x: float | None = 0.04908739,
    freq_y: float | None = 0.04908739,
    phase_x: float | None = 0.0,
    phase_y: float | None = 0.0,
    mask: int | Tensor | Batch | None = 1,
    interp_type: InterpType | str | None = InterpType.INTERP_NN,
    fill_value: float | None = 0.0,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def where(
    mask: TensorLike,
    a: TensorLike,
    b: TensorLike,
    /,
    *,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Takes `a` where a mask is not 0, and `b` elsewhere.

        ndd.where(ndd.random.coin_flip(batch_size=64), ndd.flip(images), images)
        ndd.where(images > 128, images, 0)

    With one value in the mask for a sample, `a` and `b` of the same rank are taken whole: their shapes may differ, and
    nothing is copied. Otherwise shapes are broadcast as in NumPy; `mask.slice[..., None]` has a mask of pixels choose
    for all channels of an image. `ndd.maybe` applies an operator to some samples and spares the others its cost.

    The result has the type of `a` and `b`. A single number takes the type of the array beside it, unless it has a
    fraction and the array has none; other types meet as in arithmetic.
    """
@overload
def where(
    mask: Operand,
    a: Operand,
    b: Operand,
    /,
    *,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def zeros(
    *,
    dtype: DTypeLike | None = int32,
    shape: int | Sequence[int] | Array | Tensor | None = None,
    layout: str | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """An array of zeros.

        ndd.zeros(shape=[480, 640, 3], dtype=ndd.uint8, layout="HWC", batch_size=8)

    Args:
        dtype: Element type.
        shape: Shape of the result; a single number by default.
        layout: Layout of the result.
    """
@overload
def zeros(
    *,
    dtype: DTypeLike | None = int32,
    shape: int | Sequence[int] | Array | Tensor | Batch | None = None,
    layout: str | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...

@overload
def zeros_like(
    data_like: TensorLike,
    /,
    *,
    dtype: DTypeLike | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Zeros in the shape and layout of another array.

        ndd.zeros_like(images)

    Args:
        dtype: Element type; that of `data_like` by default.
    """
@overload
def zeros_like(
    data_like: Operand,
    /,
    *,
    dtype: DTypeLike | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
