"""Conditions on samples, with automatic augmentations in their branches. Arguments: a folder."""

import sys

import numpy as np
from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.auto_aug import auto_augment, rand_augment, trivial_augment
from nvidia.dali.auto_aug.core import augmentation
from nvidia.dali.pipeline import do_not_convert


@do_not_convert
def center(image):
    return fn.crop(image, crop=(12, 12))


@augmentation(mag_range=(0, 60), randomly_negate=True)
def rotated(image, angle, fill_value=128):
    return fn.rotate(image, angle=angle, fill_value=fill_value, keep_size=True)


@pipeline_def(batch_size=3, num_threads=2, device_id=None, enable_conditionals=True, seed=42)
def training():
    jpegs, labels = fn.readers.file(file_root=sys.argv[1], name="Reader")
    image = fn.decoders.image(jpegs, device="cpu")
    shape = fn.peek_image_shape(jpegs)
    if shape[0] > 32:
        image = fn.resize(image, size=(20, 20))
        kind = 1
    elif labels[0] == 0 and not fn.random.coin_flip(probability=0.0, dtype=types.BOOL):
        image = fn.resize(image, size=(20, 20), interp_type=types.INTERP_NN)
        kind = 2
    else:
        image = fn.resize(image, size=(20, 20))
        kind = 3
    augmented = rand_augment.rand_augment(image, n=2, m=9, shape=(20, 20))
    augmented = auto_augment.auto_augment(augmented, shape=(20, 20))
    augmented = trivial_augment.trivial_augment_wide(augmented)
    turned = rotated(image, magnitude_bin=3, num_magnitude_bins=11)
    return center(image), augmented, turned, kind


pipe = training()
pipe.build()
for _ in range(2):
    image, augmented, turned, kind = pipe.run()
    print([int(np.array(kind[i])) for i in range(3)], image.shape(), augmented.shape())
    for output in (image, augmented, turned):
        print([round(float(np.array(output[i]).mean())) for i in range(3)])
