"""COCO data sets: photos of 110 kB with objects on them, tiny files, and 50 MB of annotations for few files."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

PHOTOS, PHOTO_BYTES = 1_000, 110_000
TINY, TINY_BYTES = 5_000, 500
LISTED = 15_000
HEIGHT, WIDTH = 480, 640


def _reader(name: str, arguments: str) -> str:
    return f"ndd.readers.COCO(file_root=f'{{folder}}/{name}', annotations_file=f'{{folder}}/{name}.json'{arguments})"


CASES = [
    ("COCO, photos, boxes", _reader("photos", ", ltrb=True, ratio=True"), True),
    ("COCO, photos, polygons", _reader("photos", ", polygon_masks=True"), True),
    ("COCO, photos, pixels", _reader("photos", ", pixelwise_masks=True"), True),
    ("COCO, tiny files, boxes", _reader("tiny", ""), True),
    ("COCO, tiny files, shuffled", _reader("tiny", ", random_shuffle=True, image_ids=True"), True),
    ("COCO, 50 MB of annotations", _reader("large", ", polygon_masks=True, images=['0.jpg'] * 64"), True),
]


def write(folder: Path) -> None:
    numbers = random.Random(0)
    for name, files, listed, size, objects in (
        ("photos", PHOTOS, PHOTOS, PHOTO_BYTES, 7),
        ("tiny", TINY, TINY, TINY_BYTES, 7),
        ("large", 1, LISTED, TINY_BYTES, 7),
    ):
        (folder / name).mkdir()
        for i in range(files):
            (folder / name / f"{i}.jpg").write_bytes(numbers.randbytes(size + i % 64))
        images = [_image(i) for i in range(listed)]
        annotations = [_object(numbers, i, k) for k in range(objects) for i in range(listed)]
        categories = [{"id": 2 * n + 1, "name": f"class {n}"} for n in range(80)]
        document = {"images": images, "annotations": annotations, "categories": categories}
        (folder / f"{name}.json").write_text(json.dumps(document))


def _image(number: int) -> dict[str, Any]:
    """With the fields of the real ones, most of which nobody reads."""
    url = f"http://images.example.org/train/{number:012d}.jpg"
    return {
        "license": 3, "file_name": f"{number}.jpg", "coco_url": url, "height": HEIGHT, "width": WIDTH,
        "date_captured": "2013-11-14 11:18:45", "flickr_url": url, "id": number,
    }  # fmt: skip


def _object(numbers: random.Random, image: int, number: int) -> dict[str, Any]:
    """Something round, with 8 to 40 corners."""
    x, y, radius = numbers.uniform(0, WIDTH), numbers.uniform(0, HEIGHT), numbers.uniform(5, 90)
    corners = numbers.choice([8, 12, 20, 40])
    turns = [2 * math.pi * k / corners for k in range(corners)]
    outline = [round(v, 2) for t in turns for v in (x + radius * math.cos(t), y + radius * math.sin(t))]
    return {
        "segmentation": [outline], "area": round(math.pi * radius**2, 4), "iscrowd": 0, "image_id": image,
        "bbox": [round(v, 2) for v in (x - radius, y - radius, 2 * radius, 2 * radius)],
        "category_id": 2 * numbers.randrange(80) + 1, "id": number * LISTED + image,
    }  # fmt: skip
