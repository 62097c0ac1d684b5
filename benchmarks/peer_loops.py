"""The same training loop in Penstock and in the libraries people use instead. Run by benchmarks/peers.py.

python benchmarks/peer_loops.py LIBRARY FOLDER THREADS

Reads every photo below FOLDER, several times where there are few, takes a random crop of 8 to 100 % of it, resizes that
to 224x224, mirrors half of them, normalises to float32 CHW and makes batches of 64. The first epoch warms up; of the
second, images, seconds and the CPU seconds of all threads and worker processes are printed as JSON. Nothing but the
library itself is imported.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

BATCH, SIZE = 64, 224
AT_LEAST = 2000  # images in an epoch; a smaller folder is gone through several times
MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
AREA, RATIO = (0.08, 1.0), (3 / 4, 4 / 3)

Epochs = Callable[[], Iterator[Any]]


def penstock(files: list[str], threads: int) -> Epochs:
    import penstock.dynamic as ndd

    ndd.set_num_threads(threads)
    reader = ndd.readers.File(files=files, random_shuffle=True)

    def epoch() -> Iterator[Any]:
        for jpegs, _ in reader.next_epoch(batch_size=BATCH, last_batch="drop", compile=True):
            images = ndd.decoders.image_random_crop(jpegs, random_area=AREA, random_aspect_ratio=RATIO)
            images = ndd.resize(images, size=[SIZE, SIZE])
            mirror = ndd.random.coin_flip(batch_size=BATCH)
            images = ndd.crop_mirror_normalize(
                images, mirror=mirror, mean=MEAN, std=STD, dtype=ndd.float32, output_layout="CHW"
            )
            yield images.numpy()

    return epoch


def opencv_sample(path: str, random: Any) -> Any:
    """By hand: crop, resize, mirror and normalise with OpenCV and NumPy."""
    import cv2
    import numpy as np

    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    height, width = image.shape[:2]
    share = random.uniform(*AREA) * height * width
    ratio = np.exp(random.uniform(*np.log(RATIO)))
    h, w = min(height, round((share / ratio) ** 0.5)), min(width, round((share * ratio) ** 0.5))
    top, left = random.integers(height - h + 1), random.integers(width - w + 1)
    image = cv2.resize(image[top : top + h, left : left + w], (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
    if random.random() < 0.5:
        image = cv2.flip(image, 1)
    image = cv2.subtract(image, (*MEAN, 0.0), dtype=cv2.CV_32F)
    image = cv2.multiply(image, (*(1 / each for each in STD), 0.0))
    return np.ascontiguousarray(image.transpose(2, 0, 1))


def dataloader_opencv(files: list[str], threads: int) -> Epochs:
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    return _dataloader(files, threads, lambda path: opencv_sample(path, np.random.default_rng()))


def albumentations(files: list[str], threads: int) -> Epochs:
    import cv2
    from albumentations import Compose, HorizontalFlip, Normalize, RandomResizedCrop
    from albumentations.pytorch import ToTensorV2

    cv2.setNumThreads(1)
    steps = Compose(
        [
            RandomResizedCrop((SIZE, SIZE), scale=AREA, ratio=RATIO),
            HorizontalFlip(),
            Normalize([each / 255 for each in MEAN], [each / 255 for each in STD]),
            ToTensorV2(),
        ]
    )
    return _dataloader(
        files, threads, lambda path: steps(image=cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB))["image"]
    )


def _dataloader(files: list[str], workers: int, load: Callable[[str], Any]) -> Epochs:
    import torch
    from torch.utils.data import DataLoader, Dataset

    torch.set_num_threads(1)

    class Photos(Dataset):
        def __len__(self) -> int:
            return len(files)

        def __getitem__(self, index: int) -> Any:
            return load(files[index])

    loader = DataLoader(
        Photos(), BATCH, shuffle=True, num_workers=workers, drop_last=True, persistent_workers=True, prefetch_factor=4
    )
    return lambda: iter(loader)


def grain(files: list[str], threads: int) -> Epochs:
    import cv2
    from grain import MapDataset, ReadOptions

    cv2.setNumThreads(1)
    dataset = MapDataset.source(files).seed(1).shuffle().random_map(opencv_sample).batch(BATCH, drop_remainder=True)
    options = ReadOptions(num_threads=threads, prefetch_buffer_size=4 * threads)
    return lambda: iter(dataset.to_iter_dataset(options))


def mlx_data(files: list[str], threads: int) -> Epochs:
    import mlx.data as dx
    import numpy as np

    mean, std = np.float32(MEAN), np.float32(STD)
    listed = dx.buffer_from_vector([{"path": path.encode()} for path in files])

    def epoch() -> Iterator[Any]:
        stream = (
            listed.shuffle()
            .to_stream()
            .load_image("path", output_key="image")
            .image_random_area_crop("image", AREA, RATIO)
            .image_resize("image", SIZE, SIZE)
            .image_random_h_flip("image", 0.5)
            .key_transform("image", lambda image: np.ascontiguousarray(((image - mean) / std).transpose(2, 0, 1)))
            .batch(BATCH)
            .prefetch(4 * BATCH, threads)
        )
        yield from (batch["image"] for batch in stream if len(batch["image"]) == BATCH)

    return epoch


LIBRARIES = {
    "penstock": penstock,
    "dataloader_opencv": dataloader_opencv,
    "albumentations": albumentations,
    "grain": grain,
    "mlx_data": mlx_data,
}


def cpu_seconds() -> float:
    """Of this process and of its workers."""
    import psutil

    me = psutil.Process()
    return sum(sum(each.cpu_times()[:2]) for each in (me, *me.children(recursive=True)))


def main() -> None:
    name, folder, threads = sys.argv[1:]
    files = sorted(map(str, Path(folder).rglob("*.jp*g")))
    files *= max(1, AT_LEAST // len(files))
    epoch = LIBRARIES[name](files, int(threads))
    for _ in epoch():
        pass
    cpu, started, images = cpu_seconds(), time.perf_counter(), 0
    for batch in epoch():
        assert tuple(batch.shape) == (BATCH, 3, SIZE, SIZE), batch.shape
        images += BATCH
    told = {"images": images, "wall": time.perf_counter() - started, "cpu": cpu_seconds() - cpu}
    print(json.dumps(told), flush=True)
    os._exit(0)  # workers and prefetching threads need not wind down


if __name__ == "__main__":
    main()
