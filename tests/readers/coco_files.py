"""Small data sets in the COCO format, and what a reader has to make of them, in plain Python."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

Record = dict[str, Any]
CATEGORIES = (1, 5, 3)


def image(number: int, name: str = "", width: int = 10, height: int = 8) -> Record:
    return {"id": number, "file_name": name or f"{number}.jpg", "width": width, "height": height}


def annotation(image_id: int, category: int = 1, box: Any = (1, 2, 3, 4), shape: Any = None, crowd: int = 0) -> Record:
    made = {"image_id": image_id, "category_id": category, "bbox": list(box), "iscrowd": crowd, "area": 12.5}
    return made if shape is None else {**made, "segmentation": shape}


def write_coco(
    folder: Path, images: list[Record], annotations: list[Record], categories: tuple[int, ...] = CATEGORIES
) -> str:
    """Writes annotations, and images that hold their own names; returns the path of the annotations."""
    for each in images:
        (folder / each["file_name"]).parent.mkdir(parents=True, exist_ok=True)
        (folder / each["file_name"]).write_text(each["file_name"])
    listed = [{"id": number, "name": f"class {number}"} for number in categories]
    path = folder / "annotations.json"
    path.write_text(
        json.dumps({"info": {"year": 2017}, "images": images, "annotations": annotations, "categories": listed})
    )
    return str(path)


SQUARE = [[1, 1, 6, 1, 6, 5, 1, 5]]
IMAGES = [
    image(7, width=6, height=4),
    image(3),
    image(5, "b.jpg"),
    image(4, "deep/a.jpg"),
    image(9, width=40, height=30),
]
ANNOTATIONS = [
    annotation(5, 5, (1.5, 2.5, 3.25, 4), [*SQUARE, [7.5, 6.25, 9, 6, 8, 7]]),
    annotation(3, 3, shape=[[0, 0, 4, 0, 4, 4]]),
    annotation(5, 1, (0, 0, 1, 1), {"size": [8, 10], "counts": [10, 3, 67]}),
    annotation(7, 5, (3, 1, 2.1, 2.7), {"size": [4, 6], "counts": "58;"}),
    annotation(5, 3, (0, 0, 0.05, 3), SQUARE),
    annotation(3, 1, (0, 0, 2, 2), SQUARE, crowd=1),
    annotation(9, 3, (0.7, 0.3, 20.9, 17.1), [[-3.2, 4.7, 17.33, -2.5, 44.4, 15.6, 20.1, 35.9, 2.25, 11.5]]),
    annotation(9, 5, (12.3, 4.5, 6.7, 8.9), [[12.3, 4.5, 19, 4.5, 19, 13.4, 12.3, 13.4], [30, 2, 33, 29, 31.5, 3.5]]),
]


def expected(
    images: list[Record], annotations: list[Record], categories: tuple[int, ...] = CATEGORIES, **arguments: Any
) -> list[list[Any]]:
    """The outputs for each image, in order."""
    made = []
    for each in sorted(images, key=lambda record: record["id"]):
        on_it = [a for a in annotations if a["image_id"] == each["id"] and _counts(a, arguments)]
        if on_it or not arguments.get("skip_empty"):
            made.append(_outputs(each, on_it, categories, arguments))
    return made


def _counts(record: Record, arguments: Record) -> bool:
    threshold = np.float32(arguments.get("size_threshold", 0.1))
    if record["iscrowd"] and not arguments.get("include_iscrowd", True):
        return False
    return all(np.float32(extent) >= threshold for extent in record["bbox"][2:])


def _outputs(img: Record, on_it: list[Record], categories: tuple[int, ...], arguments: Record) -> list[Any]:
    extents = np.array([img["width"], img["height"]], np.float32)
    scale = extents if arguments.get("ratio") else np.float32(1)
    boxes = np.array([a["bbox"] for a in on_it], np.float32).reshape(-1, 2, 2)
    if arguments.get("ltrb"):
        boxes[:, 1] += boxes[:, 0]
    remapped = not arguments.get("avoid_class_remapping")
    labels = [categories.index(a["category_id"]) + 1 if remapped else a["category_id"] for a in on_it]
    outputs = [img["file_name"], (boxes / scale).reshape(-1, 4).tolist(), labels]
    if arguments.get("polygon_masks"):
        rows, vertices = [], []
        for box, a in enumerate(on_it):
            for polygon in a.get("segmentation", []) if isinstance(a.get("segmentation", []), list) else []:
                rows.append([box, len(vertices), len(vertices) + len(polygon) // 2])
                vertices += np.array(polygon, np.float32).reshape(-1, 2).tolist()
        outputs += [rows, (np.array(vertices, np.float32).reshape(-1, 2) / scale).tolist()]
    if arguments.get("pixelwise_masks"):
        outputs.append(_pixels(img, on_it, labels)[:, :, None].tolist())
    return [*outputs, [img["id"]]] if arguments.get("image_ids") else outputs


def _pixels(img: Record, on_it: list[Record], labels: list[int]) -> np.ndarray:
    height, width = img["height"], img["width"]
    mask = np.zeros((width, height), np.int32).ravel()  # down the columns
    for label, a in sorted(zip(labels, on_it, strict=True), key=lambda pair: pair[0]):
        shape = a.get("segmentation", [])
        if isinstance(shape, dict):
            runs = shape["counts"] if isinstance(shape["counts"], list) else runs_of(shape["counts"])
            mask[np.repeat(np.arange(len(runs)) % 2 == 1, runs).nonzero()] = label
        for polygon in shape if isinstance(shape, list) else []:
            mask[inside(polygon, height, width)] = label
    return mask.reshape(width, height).T


def inside(polygon: list[float], height: int, width: int) -> np.ndarray:
    """Pixels in a polygon, down the columns, by walking along its edges in steps of a fifth of a pixel."""
    fine = [int(5 * float(np.float32(coordinate)) + 0.5) for coordinate in polygon]
    points = list(zip(fine[::2], fine[1::2], strict=True))
    walk: list[tuple[int, int]] = []
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        across, down = abs(x1 - x0), abs(y1 - y0)
        if (x0 > x1) if across >= down else (y0 > y1):
            walk += _steps(x1, y1, x0, y0)[::-1]
        elif across or down:
            walk += _steps(x0, y0, x1, y1)
    turns = np.zeros(height * width + 1, np.int64)
    for (x0, y0), (x1, y1) in pairwise(walk):
        column = (min(x0, x1) + 0.5) / 5 - 0.5
        if x0 != x1 and column == math.floor(column) and 0 <= column <= width - 1:
            row = math.ceil(min(max((min(y0, y1) + 0.5) / 5 - 0.5, 0), height))
            turns[int(column) * height + row] += 1
    return np.cumsum(turns)[:-1] % 2 == 1


def _steps(x0: int, y0: int, x1: int, y1: int) -> list[tuple[int, int]]:
    across, down = abs(x1 - x0), abs(y1 - y0)
    if across >= down:
        return [(x0 + t, int(y0 + (y1 - y0) / across * t + 0.5)) for t in range(across + 1)]
    return [(int(x0 + (x1 - x0) / down * t + 0.5), y0 + t) for t in range(down + 1)]


def text_of(runs: list[int]) -> str:
    """Run lengths as COCO's tools write them."""
    text = ""
    for at, run in enumerate(runs):
        value = run - runs[at - 2] if at > 2 else run
        more = True
        while more:
            digit = value & 31
            value >>= 5
            more = value != (-1 if digit & 16 else 0)
            text += chr(digit + 32 * more + 48)
    return text


def runs_of(text: str) -> list[int]:
    """The reverse of `text_of`."""
    runs: list[int] = []
    value = shift = 0
    for digit in (ord(c) - 48 for c in text):
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            value -= 1 << shift if digit & 16 else 0
            runs.append(value + (runs[-2] if len(runs) > 2 else 0))
            value = shift = 0
    return runs
