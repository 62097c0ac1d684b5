"""Classifies images: exact validation, and a run that is stopped in the middle of an epoch and goes on.

    python examples/image_classification.py

The pictures show bars that stand or lie; they are drawn here, so that the example runs anywhere. The run is stopped
after a few steps and goes on from what it saved, in a model, a reader and a generator made anew; it ends with the
weights that the run without a stop ends with. Needs `pip install penstock[torch]`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

import penstock.dynamic as ndd

CLASSES = ("lying", "standing")
BATCH, EPOCHS, SIZE = 16, 3, 32


def draw_pictures(root: Path, count: int) -> None:
    """Draws bars of both kinds, a folder for each."""
    rng = np.random.default_rng(count)
    for name in CLASSES:
        (root / name).mkdir(parents=True)
        for number in range(count):
            picture = rng.integers(0, 80, (48, 48, 3), np.uint8)
            at = rng.integers(8, 36)
            picture[at : at + 5] = rng.integers(150, 256, 3)
            turned = picture if name == "lying" else picture.swapaxes(0, 1)
            cv2.imwrite(str(root / name / f"{number:03d}.jpg"), turned)


def as_input(images: ndd.Batch, mirror: Any = 0) -> torch.Tensor:
    return ndd.crop_mirror_normalize(
        images, mirror=mirror, mean=[127.0], std=[64.0], dtype=ndd.float32, output_layout="CHW"
    ).torch()


class Training:
    """Everything a run consists of, and what is saved of it."""

    def __init__(self, root: Path) -> None:
        torch.manual_seed(0)
        self.model = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 5, stride=2), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(),
            torch.nn.Linear(32, len(CLASSES)),
        )  # fmt: skip
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.02)
        self.rng = ndd.random.RNG(seed=1)
        self.reader = ndd.readers.File(file_root=root / "train", random_shuffle=True, seed=7, enable_checkpointing=True)
        self.validation = ndd.readers.File(file_root=root / "val")

    def epoch(self, stop_after: int | None = None) -> int:
        """Trains on what is left of the epoch; returns how many steps that was."""
        steps = 0
        for jpegs, labels in self.reader.next_epoch(batch_size=BATCH, last_batch="drop"):
            images = ndd.resize(ndd.decoders.image(jpegs), size=[SIZE, SIZE])
            images = as_input(images, ndd.random.coin_flip(batch_size=BATCH, rng=self.rng))
            loss = torch.nn.functional.cross_entropy(self.model(images), labels.torch()[:, 0].long())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            steps += 1
            if steps == stop_after:
                break
        return steps

    @torch.no_grad()
    def validate(self) -> tuple[int, int]:
        """How many pictures are classified right, and how many there are: each once, the last batch is smaller."""
        right = seen = 0
        for jpegs, labels in self.validation.next_epoch(batch_size=BATCH, last_batch="partial"):
            images = as_input(ndd.resize(ndd.decoders.image(jpegs), size=[SIZE, SIZE]))
            found = self.model(images).argmax(1)
            right += int((found == labels.torch()[:, 0]).sum())
            seen += len(found)
        return right, seen

    def state_dict(self) -> dict[str, Any]:
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "reader": self.reader.state_dict(),
            "rng": str(self.rng.get_state()),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.reader.load_state_dict(state["reader"])
        self.rng.set_state(state["rng"])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        draw_pictures(root / "train", 40)
        draw_pictures(root / "val", 25)

        whole = Training(root)
        for epoch in range(EPOCHS):
            steps = whole.epoch()
            right, seen = whole.validate()
            print(f"epoch {epoch + 1}: {steps} steps, {right} of {seen} right")

        stopped = Training(root)
        stopped.epoch()
        stopped.epoch(stop_after=2)
        torch.save(stopped.state_dict(), root / "checkpoint.pt")

        resumed = Training(root)
        resumed.load_state_dict(torch.load(root / "checkpoint.pt"))
        left = [resumed.epoch() for _ in range(EPOCHS - 1)]
        same = all(map(torch.equal, resumed.model.state_dict().values(), whole.model.state_dict().values()))
        print(f"resumed: {left} steps, the same weights: {same}")


if __name__ == "__main__":
    main()
