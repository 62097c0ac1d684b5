"""Classification with automatic augmentations. Argument: a folder of images."""

import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.auto_aug import augmentations as a
from nvidia.dali.auto_aug import auto_augment, rand_augment, trivial_augment
from nvidia.dali.auto_aug.core import Policy, augmentation


@augmentation(mag_range=(0, 100), randomly_negate=True)
def brighter(data, shift, amount=1.0):
    return fn.brightness(data, brightness_shift=amount * shift / 255)


def mask_of_bits(bits):
    return np.uint8(255 << (8 - int(bits)) & 255)


MINE = Policy(
    name="Mine",
    num_magnitude_bins=5,
    sub_policies=[
        [(a.rotate.augmentation(mag_range=(0, 40), randomly_negate=True), 0.8, 4), (a.invert, 0.5, None)],
        [(brighter, 1.0, 3), (a.posterize.augmentation(mag_range=(8, 4), mag_to_param=mask_of_bits), 1.0, 2)],
    ],
)


@pipeline_def(enable_conditionals=True, batch_size=3, num_threads=2, device_id=None, seed=9)
def training_pipe(name):
    encoded, labels = fn.readers.file(file_root=sys.argv[1], random_shuffle=True, name="Reader")
    shape = fn.peek_image_shape(encoded)
    images = fn.decoders.image(encoded, output_type=types.RGB)
    rnd = fn.random.uniform(range=[0.0, 1.0])
    if rnd < 0.7:
        images = fn.flip(images)
    if name == "autoaugment":
        images = auto_augment.auto_augment_image_net(images, shape=shape)
    elif name == "randaugment":
        images = rand_augment.rand_augment(images, n=2, m=15, shape=shape, fill_value=0)
    elif name == "trivialaugment":
        images = trivial_augment.trivial_augment_wide(images, shape=shape)
    else:
        images = auto_augment.apply_auto_augment(MINE, images, amount=0.5)
    return fn.crop_mirror_normalize(fn.resize(images, size=[20, 20]), mean=[128.0], std=[64.0]), labels


for name in ("autoaugment", "randaugment", "trivialaugment", "mine"):
    pipe = training_pipe(name)
    for _ in range(3):
        images, labels = pipe.run()
        print(
            name, np.array(labels.as_tensor()).ravel().tolist(), [f"{np.array(images[i]).mean():.1f}" for i in range(3)]
        )
