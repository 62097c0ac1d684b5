"""Short clips with the number of each frame in it, as bars of light and dark that compression leaves readable."""

from __future__ import annotations

import io
import os
from fractions import Fraction
from functools import cache
from typing import Any

import av
import numpy as np

from penstock.values.enums import ImageType
from penstock.video.pixels import convert

os.environ["SVT_LOG"] = "0"  # the AV1 encoder writes to stderr
BITS = 8
WIDTH, HEIGHT = 64, 48

X265_QUIET = "log-level=none"


def picture(number: int, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """A frame that shows its number between two coloured bands."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    waves = [np.sin(x / a + y / b + number / 3) for a, b in ((5, 9), (-7, 4), (3, -8))]
    image = (128 + 90 * np.stack(waves, axis=-1)).astype(np.uint8)
    for bit in range(BITS):
        left, right = width * bit // BITS, width * (bit + 1) // BITS
        image[height // 4 : height * 3 // 4, left:right] = 235 if number >> bit & 1 else 20
    return image


def number_in(image: np.ndarray) -> int:
    """The number a decoded frame shows."""
    height, width = image.shape[:2]
    bars = image[height * 3 // 8 : height * 5 // 8].mean(axis=(0, 2))
    return sum(1 << bit for bit in range(BITS) if bars[(2 * bit + 1) * width // (2 * BITS)] > 128)


def numbers_in(frames: np.ndarray) -> list[int]:
    return [number_in(frame) for frame in frames]


@cache
def clip(
    codec: str = "libvpx-vp9",
    container: str = "webm",
    count: int = 40,
    *,
    size: tuple[int, int] = (WIDTH, HEIGHT),
    gop: int = 12,
    b_frames: int = 0,
    pixels: str = "yuv420p",
    rate: int = 25,
    times: tuple[int, ...] | None = None,
    rotation: int = 0,
    audio: bool = False,
    color_range: int = 0,
    colorspace: int = 2,
    **options: str,
) -> bytes:
    """A clip of numbered frames. `times` are milliseconds, one for each frame; `options` go to the encoder."""
    file = io.BytesIO()
    width, height = size
    with av.open(file, "w", format=container) as output:
        stream: Any = output.add_stream(codec, rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        stream.gop_size, stream.max_b_frames = gop, b_frames
        base = stream.codec_context.time_base = Fraction(1, 1000 if times else rate)
        stream.codec_context.color_range, stream.codec_context.colorspace = color_range, colorspace
        stream.options = {name.replace("_", "-"): value for name, value in options.items()}
        if rotation:
            stream.set_display_rotation(rotation)
        if audio:
            add_sound(output)
        for number in range(count):
            frame = av.VideoFrame.from_ndarray(picture(number, width, height)).reformat(format=pixels)
            frame.pts = times[number] if times else number
            frame.time_base = base
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    return file.getvalue()


def add_sound(output: Any) -> None:
    stream = output.add_stream("pcm_s16le", rate=8000, layout="mono")
    frame = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.int16), layout="mono")
    frame.sample_rate, frame.pts = 8000, 0
    output.mux(stream.encode(frame))
    output.mux(stream.encode())


@cache
def sound_only() -> bytes:
    file = io.BytesIO()
    with av.open(file, "w", format="wav") as output:
        add_sound(output)
    return file.getvalue()


@cache
def decoded_whole(data: bytes) -> np.ndarray:
    """All frames, one after the other, as PyAV gives them."""
    frames = []
    with av.open(io.BytesIO(data)) as file:
        for frame in file.decode(video=0):
            frames.append(np.empty((frame.height, frame.width, 3), np.uint8))
            convert(frame, frames[-1], ImageType.RGB)
    return np.stack(frames)
