"""Small data sets for programs. Images are PNG files, which are the same whoever writes them."""

from __future__ import annotations

import io
import json
import tarfile
import wave
from pathlib import Path

import cv2
import numpy as np


def write(root: Path) -> None:
    """Writes pictures in folders by class, annotations.json, archive.tar and recordings below `root`."""
    pictures = _pictures(root / "pictures")
    _annotations(root / "annotations.json")
    _archive(root / "archive.tar", pictures)
    _recordings(root / "recordings")


def _pictures(root: Path) -> list[Path]:
    files = []
    for k in range(6):
        slope = np.mgrid[0 : 30 + k, 0:40].sum(axis=0) * 3 % 256
        pixels = np.stack([slope, (slope * 2 + 40 * k) % 256, 255 - slope], axis=-1).astype(np.uint8)
        files.append(root / str(k // 3) / f"{k}.png")
        files[-1].parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(files[-1]), pixels)
    return files


def _annotations(file: Path) -> None:
    images = [{"id": k, "file_name": f"{k // 3}/{k}.png", "width": 40, "height": 30 + k} for k in range(6)]
    boxes = [
        {"image_id": k, "category_id": 1 + (k + b) % 3, "bbox": [2 + 3 * b, 3 + 2 * b, 12 + 2 * k, 14], "iscrowd": 0}
        for k in range(6)
        for b in range(1 + k % 3)
    ]
    categories = [{"id": number, "name": str(number)} for number in (1, 2, 3)]
    annotations = [{"id": number, "area": 1, **box} for number, box in enumerate(boxes)]
    file.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))


def _archive(file: Path, pictures: list[Path]) -> None:
    with tarfile.open(file, "w") as archive:
        for k, picture in enumerate(pictures[:4]):
            for name, content in ((f"{k:03}.png", picture.read_bytes()), (f"{k:03}.cls", str(k).encode())):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


def _recordings(root: Path) -> None:
    root.mkdir()
    for name, pitch, count in (("a", 440, 6000), ("b", 900, 8000)):
        seconds = np.arange(count) / 16000
        sound = np.sin(2 * np.pi * pitch * seconds) * (seconds > 0.05) * 8000
        with wave.open(str(root / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16000)
            file.writeframes(sound.astype("<i2").tobytes())
