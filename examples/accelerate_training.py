"""Accelerate: each process loads its shard, and `save_state` and `load_state` include where the loader stands.

python examples/accelerate_training.py, or accelerate launch examples/accelerate_training.py

The pictures are noise in two shades, made here. The run is stopped in the middle of an epoch and goes on from there.
Needs `pip install penstock[torch] accelerate`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

import penstock.dynamic as ndd
from penstock.torch import Loader


def make_pictures(root: Path, count: int = 48) -> Path:
    """Arrays of noise, a file for each: the even ones are dark, the odd ones bright."""
    rng = np.random.default_rng(0)
    for number in range(count):
        np.save(root / f"{number:03d}.npy", rng.integers(0, 160, (24, 24, 3), np.uint8) + np.uint8(90 * (number % 2)))
    return root


def prepare(pictures: ndd.Batch) -> tuple[ndd.Batch, torch.Tensor]:
    names = ndd.get_property(pictures, key="index")
    images = ndd.crop_mirror_normalize(
        ndd.reinterpret(pictures, layout="HWC"), mirror=ndd.random.coin_flip(batch_size=len(pictures)),
        mean=[127.5], std=[64], output_layout="CHW",
    )  # fmt: skip
    return images, names.torch().flatten() % 2


def make_loader(accelerator: Accelerator, pictures: Path) -> Loader:
    """Not for `accelerator.prepare`: it reads the shard of this process and moves tensors to its device itself."""
    shard = {"shard_id": accelerator.process_index, "num_shards": accelerator.num_processes}
    reader = ndd.readers.Numpy(file_root=pictures, shuffle_after_epoch=True, **shard)
    return Loader(reader, prepare, batch_size=8, last_batch="drop", device=accelerator.device)


def train(pictures: Path, folder: Path, stop_after: int | None = None) -> None:
    accelerator = Accelerator(cpu=True)
    set_seed(0)
    ndd.random.set_seed(0)
    loader = make_loader(accelerator, pictures)
    model = torch.nn.Sequential(torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(), torch.nn.Linear(12, 2))
    model, optimizer = accelerator.prepare(model, torch.optim.Adam(model.parameters(), lr=0.05))
    accelerator.register_for_checkpointing(loader)
    if folder.exists():
        accelerator.load_state(folder)
    while loader.epoch < 3:
        epoch, losses = loader.epoch, []
        for images, labels in loader:
            loss = torch.nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
            losses.append(loss.item())
            if len(losses) == stop_after:
                accelerator.save_state(folder)
                accelerator.print(f"stopped in epoch {epoch} after {len(losses)} of {len(loader)} steps")
                return
        accelerator.print(f"epoch {epoch}: {len(losses)} steps, loss {np.mean(losses):.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder) / "pictures"
        pictures.mkdir()
        make_pictures(pictures)
        train(pictures, Path(folder) / "state", stop_after=4)
        train(pictures, Path(folder) / "state")


if __name__ == "__main__":
    main()
