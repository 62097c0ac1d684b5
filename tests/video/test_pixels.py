"""The native conversion is that of swscale with interpolated chroma, to the bit."""

from __future__ import annotations

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock._native import YuvTarget, planes_to_pixels
from penstock.values.enums import ImageType
from penstock.video.pixels import convert

SHIFTS = {"yuv420p": (1, 1), "yuv422p": (0, 1), "yuv440p": (1, 0), "yuv444p": (0, 0)}
SCALER = 0x02 | 0x2000 | 0x40000  # bilinear, full chroma, accurate rounding


def frame_of(planes: list[np.ndarray], kind: str, full: bool) -> av.VideoFrame:
    height, width = planes[0].shape
    frame = av.VideoFrame(width, height, kind)
    for plane, array in zip(frame.planes, planes, strict=True):
        rows = np.zeros((plane.height, plane.line_size), np.uint8)
        rows[:, : plane.width] = array
        plane.update(rows)
    frame.color_range = 2 if full else 1
    return frame


def noise(kind: str, height: int, width: int, low: int = 16, high: int = 236) -> list[np.ndarray]:
    down, right = SHIFTS[kind]
    chroma = (-(-height // (1 + down)), -(-width // (1 + right)))
    random = np.random.default_rng(0)
    return [random.integers(low, high, size, np.uint8) for size in ((height, width), chroma, chroma)]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("kind", SHIFTS)
@pytest.mark.parametrize(("height", "width"), [(2, 2), (8, 34), (48, 62), (7, 5), (1, 1)])
def test_colours_are_those_of_swscale(kind: str, height: int, width: int, full: bool) -> None:
    # Beyond 235 the sums of swscale overflow now and then; ours are cut off at 255.
    frame = frame_of(noise(kind, height, width), kind, full)
    got = np.empty((height, width, 3), np.uint8)
    convert(frame, got, ImageType.RGB)
    np.testing.assert_array_equal(got, frame.to_ndarray(format="rgb24", interpolation=SCALER, src_colorspace="itu601"))


def test_black_white_and_red_by_eye() -> None:
    def pixel(y: int, u: int, v: int, full: bool, target: YuvTarget = YuvTarget.rgb) -> list[int]:
        out = np.zeros((1, 1, 1 if target == YuvTarget.gray else 3), np.uint8)
        planes_to_pixels(out, *(np.full((1, 1), x, np.uint8) for x in (y, u, v)), full, target)
        return out.ravel().tolist()

    assert pixel(16, 128, 128, False) == [0, 0, 0] == pixel(0, 128, 128, True)
    assert pixel(235, 128, 128, False) == [255, 255, 255] == pixel(255, 128, 128, True)
    assert pixel(81, 90, 240, False) == [254, 0, 0]
    assert pixel(255, 255, 255, False) == [255, 125, 255]
    assert pixel(81, 90, 240, False, YuvTarget.ycbcr) == [81, 90, 240]
    assert pixel(255, 128, 128, True, YuvTarget.ycbcr) == [235, 128, 128]
    assert pixel(16, 1, 2, False, YuvTarget.gray) == [0]


@given(st.integers(1, 20), st.integers(1, 70), st.booleans(), st.sampled_from(list(YuvTarget)), st.data())
def test_any_size_and_stride(height: int, width: int, full: bool, target: YuvTarget, data: st.DataObject) -> None:
    halves = [extent % 2 == 0 and data.draw(st.booleans()) for extent in (height, width)]
    chroma = [extent // 2 if half else extent for extent, half in zip((height, width), halves, strict=True)]
    random = np.random.default_rng(0)
    planes = [
        random.integers(0, 256, (rows, columns + data.draw(st.integers(0, 9))), np.uint8)[:, :columns]
        for rows, columns in ((height, width), chroma, chroma)
    ]
    shape = (height, width, 1 if target == YuvTarget.gray else 3)
    loose, tight = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    planes_to_pixels(loose, *planes, full, target)
    planes_to_pixels(tight, *map(np.ascontiguousarray, planes), full, target)
    np.testing.assert_array_equal(loose, tight)


def test_planes_that_do_not_fit_are_refused() -> None:
    y, u = np.zeros((4, 6), np.uint8), np.zeros((2, 3), np.uint8)
    out = np.zeros((4, 6, 3), np.uint8)
    wrong = [
        (out, y, u, np.zeros((2, 2), np.uint8)),
        (out, y, np.zeros((3, 3), np.uint8), np.zeros((3, 3), np.uint8)),
        (out[:, :5].copy(), y, u, u),
        (out, y[:, ::-1], u, u),
    ]
    for arrays in wrong:
        with pytest.raises(ValueError):  # noqa: PT011
            planes_to_pixels(*arrays, False, YuvTarget.rgb)
    with pytest.raises(TypeError):
        planes_to_pixels(np.zeros((4, 6, 6), np.uint8)[:, :, ::2], y, u, u, False, YuvTarget.rgb)
