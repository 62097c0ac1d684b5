"""Lightning: a DataModule whose loaders read, decode and augment ahead of the training.

python examples/lightning_training.py [--photos FOLDER]

FOLDER has a sub-folder of images for each class; a fifth of each is kept for validation. Without it a few are made. The
run is stopped within its second epoch, and goes on from Lightning's checkpoint with exactly the batches that were left.
Needs `pip install penstock[torch] lightning`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import cv2
import lightning
import numpy as np
import torch
from lightning.pytorch.callbacks import ModelCheckpoint

import penstock.dynamic as ndd
from penstock.torch import Loader


def make_photos(root: Path, per_class: int = 20) -> Path:
    """Noise in two shades, a folder for each."""
    rng = np.random.default_rng(0)
    for name, shade in (("blue", (200, 90, 90)), ("red", (90, 90, 200))):
        (root / name).mkdir(parents=True)
        for number in range(per_class):
            noise = rng.normal(shade, 40, (48, 64, 3)).clip(0, 255)
            cv2.imwrite(str(root / name / f"{number:02d}.jpg"), noise.astype(np.uint8))
    return root


def augment(jpegs: ndd.Batch, labels: ndd.Batch) -> tuple[ndd.Batch, torch.Tensor]:
    images = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[32, 32])
    return normalize(images, mirror=ndd.random.coin_flip(batch_size=len(labels))), labels.torch().flatten().long()


def center(jpegs: ndd.Batch, labels: ndd.Batch) -> tuple[ndd.Batch, torch.Tensor]:
    return normalize(ndd.resize(ndd.decoders.image(jpegs), size=[32, 32])), labels.torch().flatten().long()


def normalize(images: ndd.Batch, **arguments: Any) -> ndd.Batch:
    return ndd.crop_mirror_normalize(images, mean=[128.0] * 3, std=[64.0] * 3, output_layout="CHW", **arguments)


class Photos(lightning.LightningDataModule):
    """The photos of this process. Lightning saves and restores the state of the loaders, and moves their tensors."""

    def __init__(self, root: Path, batch_size: int = 4) -> None:
        super().__init__()
        self.root, self.batch_size = root, batch_size

    def setup(self, stage: str) -> None:
        listed = sorted(self.root.glob("*/*"))
        self.classes = sorted({path.parent.name for path in listed})
        self.valid, self.train = listed[::5], [path for at, path in enumerate(listed) if at % 5]

    def reader(self, files: list[Path], **options: Any) -> ndd.readers.File:
        assert self.trainer is not None
        labels = [self.classes.index(path.parent.name) for path in files]
        shard = {"shard_id": self.trainer.global_rank, "num_shards": self.trainer.world_size}
        return ndd.readers.File(files=files, labels=labels, **shard, **options)

    def train_dataloader(self) -> Loader:
        reader = self.reader(self.train, shuffle_after_epoch=True)
        return Loader(reader, augment, batch_size=self.batch_size, last_batch="drop")

    def val_dataloader(self) -> Loader:
        return Loader(self.reader(self.valid), center, batch_size=self.batch_size)


class Classifier(lightning.LightningModule):
    def __init__(self, classes: int = 2) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 5, stride=2), torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, classes),
        )  # fmt: skip

    def training_step(self, batch: tuple[torch.Tensor, torch.Tensor], number: int) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(self.body(batch[0]), batch[1])

    def validation_step(self, batch: tuple[torch.Tensor, torch.Tensor], number: int) -> None:
        right = (self.body(batch[0]).argmax(1) == batch[1]).float().mean()
        self.log("right", right, batch_size=len(batch[1]))

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.parameters(), lr=0.02)


def trainer(folder: Path, **limits: Any) -> lightning.Trainer:
    saved = ModelCheckpoint(folder, save_last=True, save_top_k=0, every_n_train_steps=1)
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "logger": False}
    return lightning.Trainer(accelerator="cpu", callbacks=[saved], **quiet, **limits)


def train(photos: Path, folder: Path) -> None:
    lightning.seed_everything(0, verbose=False)
    ndd.random.set_seed(0)
    first = trainer(folder, max_steps=11)
    first.fit(Classifier(), Photos(photos))
    print(f"stopped after {first.global_step} steps")
    second = trainer(folder, max_epochs=3)
    second.fit(Classifier(), Photos(photos), ckpt_path=folder / "last.ckpt", weights_only=False)
    right = second.callback_metrics["right"]
    print(f"finished after {second.global_step} steps of {second.num_training_batches} an epoch, {right:.0%} right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, help="a folder of class folders of images")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        train(given.photos or make_photos(Path(folder) / "photos"), Path(folder))


if __name__ == "__main__":
    main()
