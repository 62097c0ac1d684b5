"""Clips for a video classifier: sequences of frames from files, resized and normalised, as PyTorch tensors.

python examples/clip_classification.py [--clips FOLDER]

FOLDER has a sub-folder of videos for each class. Without it a few clips of balls are made: some fall, some rise.
Needs `pip install penstock[video,torch]`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import av
import numpy as np
import torch

import penstock.dynamic as ndd

MEAN = [0.432 * 255, 0.395 * 255, 0.376 * 255]
STD = [0.228 * 255, 0.221 * 255, 0.217 * 255]


def make_clips(root: Path, per_class: int = 4, frames: int = 40) -> None:
    """Balls that fall and balls that rise, a folder for each."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[:120, :160]
    for name, direction in (("falling", 1), ("rising", -1)):
        (root / name).mkdir()
        for number in range(per_class):
            colour, across, start = rng.integers(80, 255, 3), rng.integers(30, 130), rng.integers(120)
            with av.open(str(root / name / f"{number}.mp4"), "w") as file:
                stream = file.add_stream("mpeg4", rate=25)
                stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
                for t in range(frames):
                    ball = (x - across) ** 2 + (y - (start + direction * 3 * t) % 120) ** 2 < 12**2
                    pixels = np.where(ball[..., None], colour, 30).astype(np.uint8)
                    file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels)))
                file.mux(stream.encode())


def batches(root: Path, batch_size: int, length: int = 8):
    """Batches of clips (N, F, C, H, W) and their labels, an epoch of them."""
    reader = ndd.readers.Video(file_root=root, sequence_length=length, stride=2, step=8, random_shuffle=True, seed=1)
    for frames, labels in reader.next_epoch(batch_size=batch_size):
        frames = ndd.resize(frames, resize_shorter=112)
        mirror = ndd.random.coin_flip(batch_size=batch_size)
        clips = ndd.crop_mirror_normalize(
            frames, crop=[112, 112], mirror=mirror, mean=MEAN, std=STD, output_layout="FCHW"
        )
        yield clips.torch(), labels.torch().squeeze(1).long()


class Classifier(torch.nn.Module):
    """Two 3-D convolutions: enough to tell down from up."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(
            torch.nn.AvgPool3d((1, 4, 4)),
            torch.nn.Conv3d(3, 8, (3, 5, 5), stride=(1, 2, 2)), torch.nn.ReLU(),
            torch.nn.Conv3d(8, 16, 3), torch.nn.ReLU(),
            torch.nn.AdaptiveMaxPool3d(1), torch.nn.Flatten(), torch.nn.Linear(16, classes),
        )  # fmt: skip

    def forward(self, clips: torch.Tensor) -> torch.Tensor:
        return self.body(clips.transpose(1, 2))


def train(root: Path, epochs: int = 3, batch_size: int = 8) -> None:
    classes = sorted(folder.name for folder in root.iterdir() if folder.is_dir())
    torch.manual_seed(0)
    model = Classifier(len(classes))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        losses = []
        for clips, labels in batches(root, batch_size):
            loss = torch.nn.functional.cross_entropy(model(clips), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch}: {len(losses)} batches of {tuple(clips.shape)}, loss {np.mean(losses):.3f}")
    print(f"classes: {', '.join(classes)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=Path, help="a folder of class folders of videos")
    given = parser.parse_args()
    if given.clips is not None:
        train(given.clips)
        return
    with tempfile.TemporaryDirectory() as folder:
        make_clips(Path(folder))
        train(Path(folder))


if __name__ == "__main__":
    main()
