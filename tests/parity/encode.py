"""Writes the images and sounds the calls are given. One library's process writes them: both read the same bytes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from parity.cases import FAMILIES
from parity.inputs import waves
from video.clips import clip

ORIENTATION = 0x0112


def encode(folder: Path) -> None:
    rng = np.random.default_rng(2)
    photo = Image.fromarray(waves(rng, 90, 120))
    for name, subsampling in {"plain_444": 0, "plain_422": 1, "plain_420": 2}.items():
        photo.save(folder / f"{name}.jpg", quality=90, subsampling=subsampling)
    photo.save(folder / "progressive.jpg", quality=85, progressive=True)
    photo.convert("L").save(folder / "grey_jpeg.jpg", quality=90)
    photo.convert("CMYK").save(folder / "cmyk.jpg", quality=90)
    photo.crop((0, 0, 71, 53)).save(folder / "odd_size.jpg", quality=75)
    photo.crop((0, 0, 1, 1)).save(folder / "one_pixel.jpg", quality=75)
    for turn in range(1, 9):
        exif = Image.Exif()
        exif[ORIENTATION] = turn
        photo.crop((0, 0, 64, 40)).save(folder / f"exif_{turn}.jpg", quality=90, exif=exif)
    _other_formats(photo, folder)
    (folder / "garbage.bin").write_bytes(b"these bytes are not an image, whatever their name says")
    _tree(rng, folder / "tree")
    _videos(folder)
    for family in FAMILIES.values():
        if hasattr(family, "encode"):
            family.encode(folder)


def _other_formats(photo: Image.Image, folder: Path) -> None:
    photo.save(folder / "png_rgb.png")
    photo.convert("L").save(folder / "png_grey.png")
    with_alpha = photo.copy()
    with_alpha.putalpha(photo.convert("L"))
    with_alpha.save(folder / "png_rgba.png")
    grey = np.asarray(photo.convert("L"))
    cv2.imwrite(str(folder / "png_16.png"), grey.astype(np.uint16) * 257 + np.arange(120, dtype=np.uint16))
    photo.save(folder / "bmp.bmp")
    photo.save(folder / "tiff.tiff")
    photo.save(folder / "webp.webp", lossless=True)
    photo.save(folder / "pnm.ppm")
    cv2.imwrite(str(folder / "jpeg2000.jp2"), cv2.cvtColor(np.asarray(photo), cv2.COLOR_RGB2BGR))


def _tree(rng: np.random.Generator, folder: Path) -> None:
    """Eleven tiny files in four classes."""
    picture = Image.fromarray(waves(rng, 8, 8))
    for number in range(11):
        path = folder / f"kind{number % 4}" / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)


def _videos(folder: Path) -> None:
    clips = {
        "vp9.webm": clip(count=20, gop=7),
        "vp8.webm": clip("libvpx", count=20, gop=7),
        "mjpeg.avi": clip("mjpeg", "avi", 20, pixels="yuvj420p"),
        "odd.webm": clip(count=5, size=(63, 47)),
        "444.webm": clip(count=5, pixels="yuv444p"),
        "full_range.webm": clip(count=5, color_range=2),
        "709.webm": clip(count=5, colorspace=1),
        "altref.webm": clip(count=30, gop=30, auto_alt_ref="1", lag_in_frames="16"),
        "h264.mp4": clip("libx264", "mp4", 5),
    }
    for name, data in clips.items():
        (folder / f"clip_{name}").write_bytes(data)
    for name, count in {"cat/a.webm": 20, "cat/b.webm": 7, "dog/c.webm": 5, "dog/d.webm": 13}.items():
        path = folder / "clips" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(clip(count=count, gop=4))
