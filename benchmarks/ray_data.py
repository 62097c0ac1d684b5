"""Decode and augment in Ray Data: penstock's loop body beside OpenCV's functions, in the same local cluster.

python benchmarks/ray_data.py FOLDER [--images N] [--rounds N]

FOLDER has JPEGs, which are repeated to N rows and put into Ray's object store first. Both sides are a class in one
actor with one CPU that gets the same blocks and makes float32 images of 224x224, normalised, from a random crop and a
flip. They take turns, and the CPU time of the actor is compared, of which other processes take nothing, with all that
Ray does there. A block that goes through an actor untouched shows what that is.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import ray
import ray.data
from ray.data.extensions import ArrowTensorArray

import penstock.dynamic as ndd
from penstock.ray import BatchMapper

MEAN, STD = np.float32([123.7, 116.3, 103.5]), np.float32([58.4, 57.1, 57.4])
BATCH = 64


def penstock_body(rows: dict[str, Any]) -> dict[str, Any]:
    images = ndd.decoders.image_random_crop(rows["bytes"], random_area=[0.08, 1.0])
    images = ndd.resize(images, size=[224, 224])
    mirror = ndd.random.coin_flip(batch_size=len(rows["bytes"]))
    made = ndd.crop_mirror_normalize(
        images, mirror=mirror, mean=MEAN.tolist(), std=STD.tolist(), dtype=ndd.float32, output_layout="CHW"
    )
    return {"image": made}


class OpenCV:
    """What people write for `map_batches` by hand."""

    def __init__(self) -> None:
        cv2.setNumThreads(1)
        self._rng = np.random.default_rng(0)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {"image": np.stack([self._image(data) for data in batch["bytes"]])}

    def _image(self, data: bytes) -> Any:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
        height, width = image.shape[:2]
        for _ in range(10):  # the crop of torchvision and DALI: 8 to 100 % of the area, 3:4 to 4:3
            area, ratio = self._rng.uniform(0.08, 1.0) * height * width, np.exp(self._rng.uniform(-0.2877, 0.2877))
            w, h = round(np.sqrt(area * ratio)), round(np.sqrt(area / ratio))
            if 0 < w <= width and 0 < h <= height:
                break
        else:
            w, h = width, height
        y, x = self._rng.integers(0, height - h + 1), self._rng.integers(0, width - w + 1)
        smaller = h > 224 or w > 224
        image = cv2.resize(image[y : y + h, x : x + w], (224, 224), interpolation=cv2.INTER_AREA if smaller else 1)
        if self._rng.random() < 0.5:
            image = image[:, ::-1]
        return ((image - MEAN) / STD).transpose(2, 0, 1)


class Untouched:
    def __call__(self, batch: pa.Table) -> pa.Table:
        return batch


def timed(kind: type, *arguments: Any) -> type:
    """The class, with the CPU time that its process has taken since the first batch in a column of every result."""

    class Timed:
        def __init__(self) -> None:
            self._made = kind(*arguments)
            self._began: float | None = None

        def __call__(self, batch: Any) -> Iterator[pa.Table]:
            if self._began is None:
                self._began = time.process_time()
            made = self._made(batch)
            for each in made if hasattr(made, "__next__") else [made]:
                table = (
                    each
                    if isinstance(each, pa.Table)
                    else pa.table({"image": ArrowTensorArray.from_numpy(each["image"])})
                )
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                columns = {"spent": time.process_time() - self._began, "memory": memory}
                for name, value in columns.items():
                    table = table.append_column(name, pa.array(np.full(table.num_rows, value)))
                yield table

    return Timed


def measured(rows: ray.data.Dataset, kind: type, batch_format: str, *arguments: Any) -> dict[str, float]:
    """CPU time for an image in the actor, with all that Ray does there: blocks in, blocks out to the object store."""
    made = rows.map_batches(
        timed(kind, *arguments),
        batch_format=batch_format,
        batch_size=4 * BATCH if batch_format == "pyarrow" else BATCH,  # as `penstock.ray.map_batches` asks for
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=1),
    ).materialize()
    found = made.select_columns(["spent", "memory"]).to_pandas()
    return {"ms": 1000 * found["spent"].max() / len(found), "MB": found["memory"].max()}


def main(folder: Path, images: int, rounds: int) -> None:
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in (".jpg", ".jpeg"))
    data = [files[number % len(files)].read_bytes() for number in range(images)]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=1 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = ray.data.from_arrow([pa.table({"bytes": data[at : at + 256]}) for at in range(0, images, 256)]).materialize()
    sides = {
        "penstock": (BatchMapper, "pyarrow", penstock_body),
        "OpenCV": (OpenCV, "numpy"),
        "untouched": (Untouched, "pyarrow"),
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            found[name].append(measured(rows, *side))
    ray.shutdown()
    for name, each in found.items():
        best = min(one["ms"] for one in each)
        print(f"{name:10} {best:.3f} ms of CPU for an image, {max(one['MB'] for one in each):.0f} MB")
    ratios = [cv["ms"] / ours["ms"] for ours, cv in zip(found["penstock"], found["OpenCV"], strict=True)]
    print(f"ratio by round {json.dumps([round(ratio, 2) for ratio in ratios])}, median {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder of JPEGs")
    parser.add_argument("--images", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    main(**vars(parser.parse_args()))
