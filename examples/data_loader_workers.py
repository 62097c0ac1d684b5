"""Operators in the worker processes of a DataLoader: a Dataset that reads, decodes and augments with them.

    python examples/data_loader_workers.py

For programs that have a Dataset already. A loop over a reader is faster, and needs no processes: its threads share
memory with the program. The Dataset holds a reader, which every worker opens for itself, forked or spawned; each worker
draws random numbers of its own, other ones in every epoch, which follow `torch.manual_seed`. Needs
`pip install penstock[torch]`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import penstock.dynamic as ndd

SIZE = 32


class Pictures(Dataset[tuple[ndd.Tensor, int]]):
    """Pictures of a folder by their numbers, augmented: `default_collate` stacks the Tensors."""

    def __init__(self, root: str) -> None:
        self.reader = ndd.readers.File(file_root=root)

    def __len__(self) -> int:
        return len(self.reader)

    def __getitem__(self, index: int) -> tuple[ndd.Tensor, int]:
        jpeg, label = (batch.tensors[0] for batch in self.reader.read([index]))
        image = ndd.resize(ndd.decoders.image(jpeg), size=[SIZE, SIZE])
        image = ndd.brightness(image, brightness=ndd.random.uniform(range=[0.5, 1.0]))
        return image, int(label)


def draw_pictures(root: Path, count: int = 12) -> None:
    for value, name in ((100, "dark"), (200, "light")):
        (root / name).mkdir()
        for number in range(count):
            cv2.imwrite(str(root / name / f"{number:02}.png"), np.full((40, 40, 3), value, np.uint8))


def epochs(root: str, method: str, count: int) -> list[list[float]]:
    """The mean of every picture, for some epochs with workers that are forked or spawned."""
    torch.manual_seed(0)
    loader = DataLoader(Pictures(root), batch_size=6, num_workers=2, multiprocessing_context=method)
    return [[mean for images, _ in loader for mean in images.float().mean((1, 2, 3)).tolist()] for _ in range(count)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        draw_pictures(Path(folder))
        first, second = epochs(folder, "fork", 2)
        print(f"{len(first)} pictures, augmented otherwise in the second epoch: {first != second}")
        print(f"another run makes the same: {epochs(folder, 'fork', 2) == [first, second]}")
        print(f"so do workers that are spawned: {epochs(folder, 'spawn', 1) == [first]}")


if __name__ == "__main__":
    main()
