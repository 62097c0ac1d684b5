"""Object detection: images and boxes of a COCO data set, cropped, mirrored and resized together.

python examples/object_detection.py [--images FOLDER --annotations FILE]

FILE has annotations in the COCO format. Without it a few pictures of bright rectangles are drawn. The network tells of
every cell of a grid whether the centre of an object lies in it. Needs `pip install penstock[torch]`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

import penstock.dynamic as ndd
from penstock.torch import Loader

SIZE, GRID = 64, 8


def draw_pictures(root: Path, count: int = 48) -> Path:
    """Up to three rectangles on each picture, and the file that tells of them."""
    rng = np.random.default_rng(0)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number in range(count):
        picture = rng.integers(0, 70, (96, 128, 3), np.uint8)
        for _ in range(rng.integers(1, 4)):
            (x, y), (w, h) = rng.integers(0, (90, 60)).tolist(), rng.integers(16, 34, 2).tolist()
            picture[y : y + h, x : x + w] = rng.integers(150, 256, 3)
            box = {"bbox": [x, y, w, h], "area": w * h, "iscrowd": 0, "category_id": 1}
            annotations.append({"id": len(annotations), "image_id": number, **box})
        images.append({"id": number, "file_name": f"{number}.jpg", "width": 128, "height": 96})
        cv2.imwrite(str(root / f"{number}.jpg"), picture)
    file = root / "annotations.json"
    categories = [{"id": 1, "name": "rectangle"}]
    file.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))
    return file


def augment(jpegs: ndd.Batch, boxes: ndd.Batch, labels: ndd.Batch) -> tuple[ndd.Batch, Any, Any]:
    """A window that keeps enough of the boxes, which is all that is decoded; as many boxes as an image has left."""
    anchors, shapes, boxes, labels = ndd.random_bbox_crop(
        boxes, labels, thresholds=[0.3, 0.5, 0.7], scaling=[0.5, 1.0], aspect_ratio=[0.5, 2.0], num_attempts=20,
        bbox_layout="xyXY",
    )  # fmt: skip
    mirror = ndd.random.coin_flip(batch_size=len(labels))
    images = ndd.resize(ndd.decoders.image_slice(jpegs, anchors, shapes), size=[SIZE, SIZE])
    images = ndd.crop_mirror_normalize(images, mirror=mirror, mean=[127.5], std=[64], output_layout="CHW")
    boxes = ndd.bb_flip(boxes, ltrb=True, horizontal=mirror)
    return images, boxes.tensors, labels.tensors


def targets_of(boxes: list[torch.Tensor]) -> torch.Tensor:
    """1 in the cells that have the centre of a box."""
    targets = torch.zeros(len(boxes), GRID, GRID)
    for target, corners in zip(targets, boxes, strict=True):
        x, y = ((corners[:, :2] + corners[:, 2:]) / 2 * GRID).long().clamp(0, GRID - 1).T
        target[y, x] = 1
    return targets


def train(images: Path, annotations: Path, epochs: int = 6, batch_size: int = 8) -> None:
    torch.manual_seed(0)
    ndd.random.set_seed(0)
    reader = ndd.readers.COCO(
        file_root=images, annotations_file=annotations, ltrb=True, ratio=True, skip_empty=True, shuffle_after_epoch=True
    )
    loader = Loader(reader, augment, batch_size=batch_size, last_batch="drop")
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 5, stride=4, padding=2), torch.nn.ReLU(),
        torch.nn.Conv2d(16, 32, 5, stride=2, padding=2), torch.nn.ReLU(), torch.nn.Conv2d(32, 1, 5, padding=2),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        losses, found = [], 0
        for pictures, boxes, labels in loader:
            scores = model(pictures).squeeze(1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, targets_of(boxes))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            found += sum(map(len, labels))
        shape = tuple(pictures.shape)
        print(f"epoch {epoch}: {len(losses)} batches of {shape} with {found} boxes, loss {np.mean(losses):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=Path, help="the folder of the images")
    parser.add_argument("--annotations", type=Path, help="a file in the COCO format")
    given = parser.parse_args()
    if given.annotations is not None:
        train(given.images, given.annotations)
        return
    with tempfile.TemporaryDirectory() as folder:
        train(Path(folder), draw_pictures(Path(folder)))


if __name__ == "__main__":
    main()
