"""An epoch over prepared data in one library, as a worker of prepared.py: prepared_loops.py penstock|ffcv FOLDER

FOLDER has what prepared.py wrote. A line of input is the longer side of the images and how they are kept, "512 jpeg" or
"256 raw"; answered with images, seconds and seconds of CPU time of some epochs. Each image is decoded or copied,
cropped at random, made 224x224, flipped by a coin and normalised to float32, channels first.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BATCH = 64
IMAGES = 2000  # in a turn, at least
MEAN, STD = [0.485 * 255, 0.456 * 255, 0.406 * 255], [0.229 * 255, 0.224 * 255, 0.225 * 255]
Epoch = Callable[[], int]


def penstock_epoch(folder: Path, size: int, kept: str) -> Epoch:
    import penstock.dynamic as ndd

    packed = folder / f"packed{size}"
    reader = ndd.readers.Webdataset(
        paths=sorted(packed.glob("*.tar")),
        index_paths=sorted(packed.glob("*.idx")),
        ext=["jpg", "label"],
        dtypes=[ndd.uint8, ndd.int32],
        random_shuffle=True,
    )
    decoded = ndd.cache(ndd.decoders.image, max_bytes=8 << 30)

    def epoch() -> int:
        count = 0
        for jpegs, labels in reader.next_epoch(batch_size=BATCH, compile=True):
            if kept == "raw":
                cropped = ndd.random_resized_crop(decoded(jpegs), size=[224, 224])
            else:
                cropped = ndd.resize(ndd.decoders.image_random_crop(jpegs), size=[224, 224])
            images = ndd.crop_mirror_normalize(
                cropped,
                dtype=ndd.float32,
                output_layout="CHW",
                mean=MEAN,
                std=STD,
                mirror=ndd.random.coin_flip(batch_size=BATCH),
            )
            count += len(images.torch())
            labels.torch()
        return count

    return epoch


def ffcv_epoch(folder: Path, size: int, kept: str) -> Epoch:
    import numpy as np
    from ffcv.fields.basics import IntDecoder
    from ffcv.fields.rgb_image import RandomResizedCropRGBImageDecoder
    from ffcv.loader import Loader, OrderOption
    from ffcv.transforms import NormalizeImage, RandomHorizontalFlip, ToTensor, ToTorchImage

    images = [
        RandomResizedCropRGBImageDecoder((224, 224)),
        RandomHorizontalFlip(),
        NormalizeImage(np.array(MEAN), np.array(STD), np.float32),
        ToTensor(),
        ToTorchImage(convert_back_int16=False),
    ]
    loader = Loader(
        str(folder / f"{size}_{kept}.beton"),
        batch_size=BATCH,
        num_workers=2,
        order=OrderOption.RANDOM,
        os_cache=True,
        drop_last=False,
        pipelines={"image": images, "label": [IntDecoder(), ToTensor()]},
    )
    return lambda: sum(len(images) for images, _ in loader)


def write_ffcv(folder: Path, photos: Path) -> None:
    """The same images at 512 and 256 pixels, as JPEG of quality 90 and as pixels."""
    import cv2
    from ffcv.fields import IntField, RGBImageField
    from ffcv.writer import DatasetWriter
    from PIL import Image

    files = sorted(photos.glob("*/*.*"))
    classes = sorted({file.parent.name for file in files})

    class Photos:
        def __len__(self) -> int:
            return len(files)

        def __getitem__(self, number: int) -> tuple[Any, int]:
            image = cv2.cvtColor(cv2.imread(str(files[number])), cv2.COLOR_BGR2RGB)
            return Image.fromarray(image), classes.index(files[number].parent.name)

    for size in (512, 256):
        for kept, mode in (("jpeg", "jpg"), ("raw", "raw")):
            image = RGBImageField(write_mode=mode, max_resolution=size, jpeg_quality=90)
            writer = DatasetWriter(str(folder / f"{size}_{kept}.beton"), {"image": image, "label": IntField()})
            writer.from_indexed_dataset(Photos())


def main() -> None:
    library, folder = sys.argv[1], Path(sys.argv[2])
    if len(sys.argv) > 3:
        write_ffcv(folder, Path(sys.argv[3]))
        return
    make = {"penstock": penstock_epoch, "ffcv": ffcv_epoch}[library]
    print(json.dumps({"import": 0.0}), flush=True)
    epochs: dict[str, Epoch] = {}
    cpu = 0.0
    for line in sys.stdin:
        size, kept = line.split()
        if line not in epochs:
            epochs[line] = make(folder, int(size), kept)
            epochs[line]()  # compiles, and fills caches
            epochs[line]()
            cpu = time.process_time()
        wall, images = time.perf_counter(), 0
        while images < IMAGES:
            images += epochs[line]()
        # From the end of the last turn on: what was made ahead after it belongs to this one.
        before, cpu = cpu, time.process_time()
        print(json.dumps({"items": images, "wall": time.perf_counter() - wall, "cpu": cpu - before}), flush=True)


if __name__ == "__main__":
    main()
