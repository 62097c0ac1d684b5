"""Signatures of ndd.experimental.decoders. Written by tools/gen.py."""
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
def image(
    data: TensorLike,
    /,
    *,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    cache_batch_copy: bool | None = True,
    cache_debug: bool | None = False,
    cache_size: int | None = 0,
    cache_threshold: int | None = 0,
    cache_type: str | None = "",
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Decodes the bytes of image files: JPEG, PNG, BMP, TIFF, PNM, WebP and JPEG 2000.

        images = ndd.decoders.image(jpegs)
        images = ndd.decoders.image(jpegs, output_type=types.GRAY, dtype=ndd.float32)
        small = ndd.resize(ndd.decoders.image(jpegs, min_size=(224, 224)), size=[224, 224])

    Args:
        output_type: Colours of the result: RGB, BGR, GRAY, YCbCr, or ANY_DATA for what is stored.
        dtype: Element type; values are stretched to its full range, to 0..1 for floats.
        adjust_orientation: Turn the image upright as its EXIF data tells.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
        min_size: Height and width that suffice. JPEGs are decoded at a half, a quarter or an eighth of their size where
            that is not below them, and the result has that size; other formats are decoded whole. 12 megapixels made
            224x224 take a third of the CPU time so, with a PSNR of 52 dB to what decoding whole gives, and half of it,
            with 58 dB, with a `min_size` of twice that; photos a few hundred pixels wide made 100x100 differ more, by
            37 and 51 dB, and take 10 to 20 % less (`benchmarks/decode_scaled.py`).
    """
@overload
def image(
    data: Operand,
    /,
    *,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    cache_batch_copy: bool | None = True,
    cache_debug: bool | None = False,
    cache_size: int | None = 0,
    cache_threshold: int | None = 0,
    cache_type: str | None = "",
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def image(
    data: Operand,
    /,
    *,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    cache_batch_copy: bool | None = True,
    cache_debug: bool | None = False,
    cache_size: int | None = 0,
    cache_threshold: int | None = 0,
    cache_type: str | None = "",
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...

@overload
def image_crop(
    data: TensorLike,
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Decodes a window of given size, and hardly more than that.

        ndd.decoders.image_crop(jpegs, crop=(224, 224))

    Args:
        crop: Height and width of the window.
        crop_h: Height of the window; 0 keeps the whole height.
        crop_w: Width of the window; 0 keeps the whole width.
        crop_d: Images have no depth; only here because `crop` has it.
        crop_pos_x: Where the window is across the width, from 0 (left) to 1 (right).
        crop_pos_y: Where it is across the height, from 0 (top) to 1 (bottom).
        crop_pos_z: As `crop_d`.
        rounding: How its first pixel is found from that: "round" or "truncate".
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the window is placed.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
    """
@overload
def image_crop(
    data: Operand,
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def image_crop(
    data: Operand,
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...

@overload
def image_random_crop(
    data: TensorLike,
    /,
    *,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    rng: RNG | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Decodes a random window of each image, and hardly more than that.

        crops = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[224, 224])

    Args:
        random_area: Range of the share of the image the window covers.
        random_aspect_ratio: Range of its width over its height.
        num_attempts: How often to try for a window that fits, before the largest allowed one is taken.
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the window is chosen.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
        min_size: Height and width that suffice for the window, as for `decoders.image`: of JPEGs it is decoded at a
            half, a quarter or an eighth of its size where that is not below them.
    """
@overload
def image_random_crop(
    data: Operand,
    /,
    *,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    rng: RNG | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def image_random_crop(
    data: Operand,
    /,
    *,
    random_area: float | Sequence[float] | Array | None = [0.08, 1.0],
    random_aspect_ratio: float | Sequence[float] | Array | None = [0.75, 1.333333],
    num_attempts: int | None = 10,
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    min_size: int | Sequence[int] | Array | None = None,
    rng: RNG | None = None,
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...

@overload
def image_slice(
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Decodes the part of an image between two corners, and hardly more than that.

        ndd.decoders.image_slice(jpegs, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names="HW")

    The corners are also taken by position: `anchor` and `shape`, as integers or as fractions of the image.

    Args:
        start: First corner.
        end: Opposite corner.
        shape: Extents of the part, instead of its end.
        rel_start: First corner, in fractions of the image.
        rel_end: Opposite corner, in fractions of the image.
        rel_shape: Extents of the part, in fractions of the image.
        axes: The axes the corners are given for, instead of `axis_names`.
        axis_names: The same by name; by default width, then height.
        normalized_anchor: An `anchor` of floats is in fractions of the image.
        normalized_shape: A `shape` of floats by position is in fractions of the image.
        output_type: Colours of the result, as for `decoders.image`.
        dtype: Element type, as for `decoders.image`.
        adjust_orientation: Turn the image upright as its EXIF data tells, before the part is placed.
        use_fast_idct: Trade some accuracy of JPEG decoding for speed.
        max_bytes: Images that take more memory to decode are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
        max_scans: Progressive JPEGs of more scans are refused.
    """
@overload
def image_slice(
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def image_slice(
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
    output_type: ImageType | str | None = ImageType.RGB,
    dtype: DTypeLike | None = uint8,
    adjust_orientation: bool | None = True,
    use_fast_idct: bool | None = False,
    max_bytes: int | None = None,
    max_scans: int | None = 500,
    affine: bool | None = True,
    device_memory_padding: int | None = 16777216,
    device_memory_padding_jpeg2k: int | None = 0,
    host_memory_padding: int | None = 8388608,
    host_memory_padding_jpeg2k: int | None = 0,
    hw_decoder_load: float | None = 0.65,
    hybrid_huffman_threshold: int | None = 1000000,
    jpeg_fancy_upsampling: bool | None = False,
    memory_stats: bool | None = False,
    preallocate_height_hint: int | None = 0,
    preallocate_width_hint: int | None = 0,
    split_stages: bool | None = False,
    use_chunk_allocator: bool | None = False,
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...

@overload
def video(
    data: TensorLike,
    /,
    *,
    frames: int | Sequence[int] | Array | Tensor | None = None,
    start_frame: int | Tensor | None = None,
    end_frame: int | Tensor | None = None,
    stride: int | Tensor | None = None,
    sequence_length: int | Tensor | None = None,
    pad_mode: Literal["constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect", "none"] | None = "constant",
    fill_value: int | Sequence[int] | Array | None = [0],
    affine: bool | None = True,
    build_index: bool | None = True,
    max_bytes: int | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Decodes the bytes of video files, all frames or some of them, to sequences of RGB frames.

        clips = ndd.decoders.video(files, start_frame=10, sequence_length=16, stride=2)
        clips = ndd.decoders.video(files, frames=[0, 30, 15])

    Only what the wanted frames need is decoded: from the key frame before them on. H.264, HEVC, VP8, VP9, AV1, MPEG-4,
    MJPEG and whatever else FFmpeg knows. Needs PyAV: ``pip install penstock[video]``.

    Args:
        frames: The numbers of the frames, in any order and with repeats; instead of a range.
        start_frame: The first frame.
        end_frame: The frame to end before.
        stride: How many frames to go on from each to the next.
        sequence_length: How many frames to take; instead of `end_frame`.
        pad_mode: What stands for frames the video does not have: "constant" for `fill_value`, "edge" ("repeat") for
            its first or last frame, "reflect_101" ("reflect") and "reflect_1001" ("symmetric") for the frames on the
            way back, without and with the last one twice, "none" for nothing, which makes the sequence shorter.
        fill_value: The colour of frames that are not there: one number, or one for each channel.
        affine: Of the GPU decoder; accepted for old programs.
        build_index: Frames are always counted from the packets; accepted for old programs.
        max_bytes: Sequences that take more memory are refused; by default those of more than 2 GiB, or what the
            environment variable PENSTOCK_MAX_BYTES says.
    """
@overload
def video(
    data: Operand,
    /,
    *,
    frames: int | Sequence[int] | Array | Tensor | Batch | None = None,
    start_frame: int | Tensor | Batch | None = None,
    end_frame: int | Tensor | Batch | None = None,
    stride: int | Tensor | Batch | None = None,
    sequence_length: int | Tensor | Batch | None = None,
    pad_mode: Literal["constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect", "none"] | None = "constant",
    fill_value: int | Sequence[int] | Array | None = [0],
    affine: bool | None = True,
    build_index: bool | None = True,
    max_bytes: int | None = None,
    on_error: Literal["raise", "replace"] | Callable[[BadSample, Array], Array | None] | None = None,
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> Batch: ...
@overload
def video(
    data: Operand,
    /,
    *,
    frames: int | Sequence[int] | Array | Tensor | Batch | None = None,
    start_frame: int | Tensor | Batch | None = None,
    end_frame: int | Tensor | Batch | None = None,
    stride: int | Tensor | Batch | None = None,
    sequence_length: int | Tensor | Batch | None = None,
    pad_mode: Literal["constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect", "none"] | None = "constant",
    fill_value: int | Sequence[int] | Array | None = [0],
    affine: bool | None = True,
    build_index: bool | None = True,
    max_bytes: int | None = None,
    on_error: Literal["skip"],
    errors: list[BadSample] | None = None,
    batch_size: int | None = None,
    device: Device | str | None = None,
) -> tuple[Batch, list[int]]: ...
