"""A training pipeline of images in folders, as a function. Arguments: a folder."""

import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import math, pipeline_def


@pipeline_def(batch_size=4, num_threads=2, device_id=0, seed=42)
def training(root, size):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.random_resized_crop(images, size=[size, size])
    images = fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        output_layout=types.NCHW,
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        mirror=fn.random.coin_flip(probability=0.5),
    )
    brightest = math.clamp(fn.reductions.max(images), 0, 1)
    return images, labels, brightest


if __name__ == "__main__":
    pipe = training(sys.argv[1], size=24)
    pipe.build()
    epoch = pipe.epoch_size("Reader")
    seen = 0
    while seen < epoch:
        images, labels, brightest = pipe.run()
        assert images.layout() == "CHW"
        assert images.shape() == [(3, 24, 24)] * 4
        assert np.array(labels.as_tensor()).shape == (4, 1)
        assert np.array(brightest.as_tensor()).max() <= 1
        seen += len(images)
    print("epoch", epoch, "seen", seen, "dtype", images.dtype)
