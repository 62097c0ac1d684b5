"""Decoding, cropping, resizing and other operators on whole images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PICTURES = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"

CASES = [
    {
        "operator": "random_crop_generator",
        "call": "ndd.random_crop_generator(sizes)",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    files = sorted(PICTURES.glob("*/*.jpg"))
    encoded = [np.fromfile(files[number % len(files)], np.uint8) for number in range(32)]
    return {
        "encoded": encoded,
        "jpegs": ndd.batch(encoded),
        "sizes": ndd.batch([np.array([480, 640], np.int64)] * 32),
    }
