"""Decoding images: JPEG natively, every other format through OpenCV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.decode import formats
from penstock.ops.single_sample import run_steps
from penstock.schema import Example, examples, operator
from penstock.values import parallel
from penstock.values.bad_samples import is_about_data
from penstock.values.dtypes import DType, uint8
from penstock.values.enums import ImageType
from penstock.values.memory_limit import max_bytes
from penstock.values.samples import arrays_of
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


@dataclass
class Decoding:
    """What the decoded image is to be."""

    output_type: ImageType = ImageType.RGB
    dtype: DType = uint8
    adjust_orientation: bool = True
    use_fast_idct: bool = False
    max_bytes: int | None = None
    max_scans: int = 500


@dataclass
class Tuning:
    """Knobs of the GPU decoder and its caches. Accepted everywhere; the CPU decoder has no use for them."""

    affine: bool = True
    device_memory_padding: int = 16777216
    device_memory_padding_jpeg2k: int = 0
    host_memory_padding: int = 8388608
    host_memory_padding_jpeg2k: int = 0
    hw_decoder_load: float = 0.65
    hybrid_huffman_threshold: int = 1000000
    jpeg_fancy_upsampling: bool = False  # on the CPU subsampled colours are always interpolated
    memory_stats: bool = False
    preallocate_height_hint: int = 0
    preallocate_width_hint: int = 0
    split_stages: bool = False
    use_chunk_allocator: bool = False


def _foretell(data: Spec, *, decoding: Decoding, min_size: list[int] | None, **rest: Any) -> Spec:
    check_encoded(data, decoding.max_bytes)
    check_min_size(min_size)
    return Spec(decoding.dtype, 3, "HWC")


def check_encoded(data: Spec, limit: int | None) -> None:
    """What a decoder is given, and how much memory it may take for it."""
    if data.dtype is not uint8 or data.ndim != 1:
        raise RuntimeError(f"expected the bytes of a file, 1-D uint8, got {data.ndim}-D {data.dtype}")
    max_bytes(limit)


def check_min_size(min_size: list[int] | None) -> None:
    if min_size is not None and (len(min_size) != 2 or min(min_size) < 1):
        raise ValueError(f"min_size is a height and a width, both positive, not {list(min_size)}")


def decode_step(
    samples: _native.Samples,
    decoding: Decoding,
    window: _native.WindowRule | None = None,
    threads: int = 1,
    min_size: list[int] | None = None,
) -> _native.Step:
    """The step for a batch: what is not JPEG is decoded here and given to it as images."""
    limit = max_bytes(decoding.max_bytes)
    step = _native.Decode(
        int(decoding.output_type),
        decoding.dtype.code,
        decoding.adjust_orientation,
        True,
        decoding.use_fast_idct,
        limit,
        decoding.max_scans,
        window,
        min_size,
    )
    others = _native.other_formats(samples)

    def decode_other(k: int) -> None:
        try:
            image = formats.decode_image(
                samples.sample(others[k]),
                adjust_orientation=decoding.adjust_orientation,
                max_bytes=limit,
                output_type=decoding.output_type,
                dtype=decoding.dtype,
            )
            step.set_decoded(others[k], formats.to_colour(image, decoding.output_type, decoding.dtype))
        except Exception as error:
            if not is_about_data(error):
                raise
            step.set_failed(others[k], str(error))

    parallel.map_samples(decode_other, len(others), samples.nbytes, threads)
    return step


def decoded_alone(
    data: Array, decoding: Decoding, window: _native.WindowRule | None = None, min_size: list[int] | None = None
) -> Array:
    """One sample through the step."""
    samples = _native.Samples.wrap_one(data)
    return run_steps(samples, decode_step(samples, decoding, window, min_size=min_size))


def blank_image(good: Array | None, *, decoding: Decoding, **rest: Any) -> Array:
    """A black image as large as another one of the batch, or a single pixel where there is none."""
    height, width, channels = (1, 1, 3) if good is None else good.shape
    as_stored = decoding.output_type == ImageType.ANY_DATA
    black = np.zeros((height, width, channels if as_stored else 3), np.uint8)
    return formats.to_colour(black, decoding.output_type, decoding.dtype)


@operator(
    name="decoders.image",
    older_names=["experimental.decoders.image"],
    infer=_foretell,
    blank=blank_image,
    runs_on="mixed",
)
def image(
    data: Array,
    *,
    decoding: Decoding,
    tuning: Tuning,
    min_size: list[int] | None = None,
    cache_batch_copy: bool = True,
    cache_debug: bool = False,
    cache_size: int = 0,
    cache_threshold: int = 0,
    cache_type: str = "",
) -> Array:
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
    return decoded_alone(data, decoding, min_size=min_size)


@image.native(needs_data=True, reads_threads=True, serves_again=lambda step: step.is_for_any_jpegs)
def native(
    data: Spec,
    *,
    decoding: Decoding,
    min_size: list[int] | None,
    samples: _native.Samples,
    threads: int,
    **unused: Any,
) -> _native.Step:
    return decode_step(samples, decoding, threads=threads, min_size=min_size)


@image.on_device
def on_device(
    device: int, files: _native.Samples, *, decoding: Decoding, min_size: list[int] | None, **unused: Any
) -> _native.Samples | None:
    """By nvImageCodec, where it is installed, which decodes at full size only."""
    from penstock.gpu.nvimgcodec import decoder_of

    decoder = decoder_of(device)
    if decoder is None or decoding.dtype is not uint8 or min_size is not None:
        return None
    from penstock.gpu.queue import queue
    from penstock.gpu.samples import GpuSamples

    limit = max_bytes(decoding.max_bytes)
    with queue(device):
        made = decoder.decode(
            arrays_of(files), decoding.output_type, decoding.adjust_orientation, limit, decoding.max_scans
        )
        return None if made is None else GpuSamples.of_tensors(made, device)


image.examples = examples(
    Example("ndd.decoders.image(jpeg)", drawn=True, plain="cv2.imdecode(jpeg, cv2.IMREAD_COLOR_RGB)"),
    Example("ndd.decoders.image(jpeg, output_type=types.GRAY)", drawn=True),
)
