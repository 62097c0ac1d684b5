"""Trains a small network on pictures from a pipeline, which reads, decodes and augments them ahead of the loop.

    python examples/pipeline_training.py

The pictures show bars that stand or lie; they are drawn here, so that the example runs anywhere.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from penstock import fn, pipeline_def, types
from penstock.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy

CLASSES = ("lying", "standing")
BATCH, EPOCHS, SIZE = 16, 4, 32


def draw_pictures(root: Path, count: int = 40) -> None:
    """Draws bars of both kinds, a folder for each."""
    rng = np.random.default_rng(0)
    for name in CLASSES:
        (root / name).mkdir()
        for number in range(count):
            picture = rng.integers(0, 80, (48, 48, 3), np.uint8)
            at = rng.integers(8, 36)
            picture[at : at + 5] = rng.integers(150, 256, 3)
            turned = picture if name == "lying" else picture.swapaxes(0, 1)
            cv2.imwrite(str(root / name / f"{number:03d}.jpg"), turned)


@pipeline_def(batch_size=BATCH, num_threads=2, device_id=None, seed=7)
def training(root: str) -> Any:
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, pad_last_batch=True, name="pictures")
    images = fn.resize(fn.decoders.image(jpegs), size=[SIZE, SIZE])
    images = fn.brightness_contrast(images, brightness=fn.random.uniform(range=[0.8, 1.2]))
    images = fn.crop_mirror_normalize(
        images, dtype=types.FLOAT, mean=[127.0], std=[64.0], mirror=fn.random.coin_flip(), output_layout="CHW"
    )
    return images, labels


def main() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 5, stride=2), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(),
        torch.nn.Linear(32, len(CLASSES)),
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    with tempfile.TemporaryDirectory() as folder:
        draw_pictures(Path(folder))
        batches = DALIClassificationIterator(
            training(folder), reader_name="pictures", last_batch_policy=LastBatchPolicy.PARTIAL
        )
        for epoch in range(1, EPOCHS + 1):
            losses = []
            for [batch] in batches:
                loss = torch.nn.functional.cross_entropy(model(batch["data"]), batch["label"].flatten().long())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            print(f"epoch {epoch}: {len(losses)} batches of {tuple(batch['data'].shape)}, loss {np.mean(losses):.2f}")


if __name__ == "__main__":
    main()
