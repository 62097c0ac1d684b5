"""What the guide for users of torchvision says of each transform holds, beside the formulas that torchvision documents.

torchvision itself has no build that fits the torch of these tests. What its transforms call in torch is called here.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
import torch
from torch.nn import functional

import penstock.dynamic as ndd
from migration.tables import HEIGHT, PHOTOS, WIDTH, Row, agrees, arrays, names_for, page, rows_of

PAGE = page("coming_from_torchvision")
Picture = np.ndarray[Any, Any]


def planes(photo: Picture) -> torch.Tensor:
    return torch.from_numpy(photo).permute(2, 0, 1)[None].float()


def pixels(tensor: torch.Tensor) -> Picture:
    """Rounded, as torchvision does where it filters."""
    return tensor[0].round().clamp(0, 255).to(torch.uint8).permute(1, 2, 0).numpy()


def cut(values: Any) -> Picture:
    """Fractions cut off, as torchvision does where it calculates with colours."""
    return np.clip(values, 0, 255).astype(np.uint8)


def resized(size: tuple[int, int], **how: Any) -> Callable[[Picture], Picture]:
    return lambda photo: pixels(functional.interpolate(planes(photo), size, **how))


def padded(borders: list[int], mode: str) -> Callable[[Picture], Picture]:
    return lambda photo: pixels(functional.pad(planes(photo), borders, mode))


def warped(matrix: list[list[float]]) -> Callable[[Picture], Picture]:
    """`grid_sample` at where a matrix, in pixels from the middle, takes each pixel from."""

    def made(photo: Picture) -> Picture:
        scale = np.diag([2 / WIDTH, 2 / HEIGHT, 1])
        theta = (scale @ np.float64([*matrix, [0, 0, 1]]) @ np.linalg.inv(scale))[:2]
        grid = functional.affine_grid(torch.from_numpy(theta).float()[None], [1, 3, HEIGHT, WIDTH], align_corners=False)
        return pixels(functional.grid_sample(planes(photo), grid, align_corners=False))

    return made


def grey(photo: Picture) -> Picture:
    return np.floor(photo @ np.float32([0.2989, 0.587, 0.114]))[:, :, None]


def with_hue(photo: Picture) -> Picture:
    turned = [((h + 0.02) % 1, s, v) for h, s, v in (colorsys.rgb_to_hsv(*p) for p in photo.reshape(-1, 3) / 255)]
    return np.reshape([colorsys.hsv_to_rgb(*each) for each in turned], photo.shape) * 255


def equalized(photo: Picture) -> Picture:
    made = photo.copy()
    for channel in range(3):
        counts = np.bincount(photo[:, :, channel].ravel(), minlength=256)
        step = (counts.sum() - counts[np.flatnonzero(counts)[-1]]) // 255
        table = np.clip((np.cumsum(counts) - counts + step // 2) // max(step, 1), 0, 255)
        made[:, :, channel] = table[photo[:, :, channel]] if step else photo[:, :, channel]
    return made


def sharpened(photo: Picture) -> Picture:
    smooth = photo.astype(np.float32)
    kernel = np.float32([[1, 1, 1], [1, 5, 1], [1, 1, 1]]) / 13
    smooth[1:-1, 1:-1] = np.round(cv2.filter2D(smooth, -1, kernel)[1:-1, 1:-1])
    return cut(2 * photo.astype(np.float32) - smooth)


def blurred(photo: Picture) -> Picture:
    window = np.exp(-0.5 * (np.arange(-3, 4) / 1.5) ** 2)
    window /= window.sum()
    kernel = torch.from_numpy(np.outer(window, window)).float().expand(3, 1, 7, 7)
    return pixels(functional.conv2d(functional.pad(planes(photo), [3] * 4, "reflect"), kernel, groups=3))


def as_jpeg(photo: Picture) -> Picture:
    return cv2.imdecode(cv2.imencode(".jpg", photo[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 40])[1], 1)[:, :, ::-1]


def erased(photo: Picture) -> Picture:
    made = photo.copy()
    made[5:25, 10:40] = 0
    return made


COS, SIN = np.cos(np.radians(30)), np.sin(np.radians(30))
MEAN, STD = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
# The formula of each line.
FORMULAS: dict[str, Callable[[Picture], Any]] = {
    "v2.RandomHorizontalFlip(1)": lambda photo: photo[:, ::-1],
    "v2.RandomVerticalFlip(1)": lambda photo: photo[::-1],
    "v2.Resize((48, 80))": resized((48, 80), mode="bilinear", antialias=True),
    "v2.Resize((48, 80), antialias=False)": resized((48, 80), mode="bilinear"),
    "v2.Resize((150, 200), InterpolationMode.BICUBIC)": resized((150, 200), mode="bicubic", antialias=True),
    "v2.Resize((48, 80), InterpolationMode.NEAREST_EXACT)": resized((48, 80), mode="nearest-exact"),
    "v2.Resize(48)": resized((48, 64), mode="bilinear", antialias=True),
    "v2.Resize(None, max_size=48)": resized((36, 48), mode="bilinear", antialias=True),
    "v2.CenterCrop((48, 64))": lambda photo: photo[24:72, 32:96],
    "v2.Pad([8, 4])": padded([8, 8, 4, 4], "constant"),
    'v2.Pad(8, padding_mode="reflect")': padded([8] * 4, "reflect"),
    'v2.Pad(8, padding_mode="edge")': padded([8] * 4, "replicate"),
    "v2.RandomRotation((30, 30), InterpolationMode.BILINEAR)": warped([[COS, -SIN, 0], [SIN, COS, 0]]),
    "v2.RandomAffine(0, translate=..., scale=(1.2, 1.2))": warped([[1 / 1.2, 0, -10 / 1.2], [0, 1 / 1.2, -4 / 1.2]]),
    "v2.ColorJitter(brightness=(1.2, 1.2))": lambda photo: cut(1.2 * photo),
    "v2.ColorJitter(contrast=(1.3, 1.3))": lambda photo: cut(1.3 * photo - 0.3 * grey(photo).mean()),
    "v2.ColorJitter(saturation=(1.4, 1.4))": lambda photo: cut(1.4 * photo - 0.4 * grey(photo)),
    "v2.ColorJitter(hue=(0.02, 0.02))": with_hue,
    "v2.RandomGrayscale(1)": lambda photo: cut(np.repeat(grey(photo), 3, 2)),
    "v2.Grayscale()": lambda photo: cut(grey(photo)),
    "v2.RandomInvert(1)": lambda photo: 255 - photo,
    "v2.RandomPosterize(4, p=1)": lambda photo: photo & 240,
    "v2.RandomSolarize(128, p=1)": lambda photo: np.where(photo >= 128, 255 - photo, photo),
    "v2.RandomEqualize(1)": equalized,
    "v2.RandomAdjustSharpness(2, p=1)": sharpened,
    "v2.GaussianBlur(7, 1.5)": blurred,
    "v2.JPEG((40, 40))": as_jpeg,
    "v2.ToDtype(torch.float32, scale=True)": lambda photo: np.float32(photo) / 255,
    "v2.functional.erase(images, 5, 10, 20, 30, 0)": erased,
}
_NORMALIZED = "v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])"
FORMULAS[f"v2.Compose([v2.ToDtype(torch.float32, scale=True), {_NORMALIZED}])"] = (
    lambda photo: (np.float32(photo) / 255 - MEAN) / STD
)  # fmt: skip


@pytest.mark.parametrize("row", rows_of(PAGE), ids=lambda row: row.theirs)
def test_a_line_of_the_table_holds(row: Row) -> None:
    ours = arrays(eval(row.ours, names_for(ndd.batch(PHOTOS, layout="HWC"))))
    agrees(row, [FORMULAS[row.theirs](photo) for photo in PHOTOS], ours)
