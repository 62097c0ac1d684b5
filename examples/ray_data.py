"""Decoding and augmenting on a cluster: Ray Data reads the files, actors run a loop body of operators on them.

python examples/ray_data.py [PHOTOS] [--actors N]

PHOTOS is a folder or URL of images; without it a few are made. Without a cluster Ray starts one on this machine.
Needs `pip install penstock[ray]`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import ray.data

import penstock.dynamic as ndd
import penstock.ray


def make_photos(root: Path, count: int = 40) -> str:
    """Noise in many sizes, and a file that is no image."""
    rng = np.random.default_rng(0)
    for number in range(count):
        noise = rng.integers(0, 256, (40 + number, 80 - number, 3), np.uint8)
        cv2.imwrite(str(root / f"{number:02d}.jpg"), noise)
    (root / "broken.jpg").write_bytes(b"no image")
    return str(root)


def augment(rows: dict[str, Any]) -> dict[str, Any]:
    """The loop body: Batches in, Batches out. It is traced once in every actor, then fused and made ahead."""
    count = len(rows["bytes"])
    images = ndd.decoders.image_random_crop(rows["bytes"])
    images = ndd.resize(images, size=[32, 32])
    mirror = ndd.random.coin_flip(batch_size=count)
    images = ndd.crop_mirror_normalize(images, mirror=mirror, mean=[128.0] * 3, std=[64.0] * 3, output_layout="CHW")
    return {"image": images, "path": rows["path"]}


def main(photos: str, actors: int) -> None:
    files = ray.data.read_binary_files(photos, include_paths=True)
    pool = ray.data.ActorPoolStrategy(size=actors)
    images = penstock.ray.map_batches(files, augment, batch_size=16, on_error="skip", seed=7, compute=pool)
    count, total = 0, 0.0
    for batch in images.iter_batches(batch_size=16, batch_format="numpy"):
        count += len(batch["image"])
        total += batch["image"].sum()
    print(f"{count} images of {batch['image'].shape[1:]}, mean {total / (count * batch['image'][0].size):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="?", help="a folder or URL of images")
    parser.add_argument("--actors", type=int, default=1, help="how many processes work on them, a CPU each")
    given = parser.parse_args()
    if given.photos is not None:
        main(given.photos, given.actors)
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(make_photos(Path(folder)), given.actors)
