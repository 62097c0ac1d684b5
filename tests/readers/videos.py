"""Clips on disk whose frames show their number, and what readers of them hand out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from penstock._native import Samples
from penstock.readers import Reader
from video.clips import clip, numbers_in

CODECS = {"vp9.webm": ("libvpx-vp9", "webm"), "h264.mp4": ("libx264", "mp4"), "mjpeg.avi": ("mjpeg", "avi")}


def write_clip(path: Path, count: int, **options: Any) -> str:
    """A clip of numbered frames in the format its name ends with."""
    codec, container = CODECS[path.name.split("-")[-1]]
    pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(clip(codec, container, count, pixels=pixels, **options))
    return str(path)


def write_tree(root: Path) -> str:
    """Two classes: clips of 20 and 7 frames, and clips of 5 and 13."""
    for name, count in {"cat/a-vp9.webm": 20, "cat/b-mjpeg.avi": 7, "dog/c-h264.mp4": 5, "dog/d-vp9.webm": 13}.items():
        write_clip(root / name, count, rate=10, gop=4)
    (root / "cat" / "readme.txt").write_text("not a video")
    return str(root)


def write_frames(root: Path, folders: dict[str, int], extension: str = "png") -> str:
    """Folders of frames whose pixels are the numbers of the frame and of the folder, far enough apart for JPEG."""
    for place, (name, count) in enumerate(folders.items()):
        (root / name).mkdir()
        for number in range(count):
            image = np.full((6, 8, 3), (number * 10 + 5, place * 10 + 5, 0), np.uint8)
            cv2.imwrite(str(root / name / f"{number:03d}.{extension}"), image[..., ::-1])
    return str(root)


def write_list(folder: Path, *lines: str) -> str:
    path = folder / "list.txt"
    path.write_text("\n".join(lines))
    return str(path)


def rows(output: Samples) -> list[list[Any]]:
    return [output.sample(i).tolist() for i in range(len(output))]


def shown(frames: Samples) -> list[list[int]]:
    """The numbers that the frames of each sequence show."""
    return [numbers_in(frames.sample(i)) for i in range(len(frames))]


def epoch_of(reader: Reader, batch_size: int | None = None) -> list[list[int]]:
    """What all sequences of an epoch show; the batches are full, so the last one may go on into the next epoch."""
    return [sequence for outputs in reader.next_epoch(batch_size=batch_size) for sequence in shown(outputs[0])]


def fails(reader: Reader, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        next(reader.next_epoch(batch_size=1))


def consecutive(count: int, length: int, step: int | None = None, stride: int = 1) -> list[list[int]]:
    """The complete sequences in a clip, written plainly."""
    step = step or length * stride
    starts = range(0, count - length * stride + 1, step)
    return [np.arange(start, start + length * stride, stride).tolist() for start in starts]
