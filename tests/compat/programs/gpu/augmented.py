"""Automatic augmentations and conditions on samples of a GPU. Argument: a folder of images."""

import sys

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.auto_aug import auto_augment, rand_augment, trivial_augment
from nvidia.dali.plugin.pytorch import DALIClassificationIterator

POLICIES = {
    "autoaugment": auto_augment.auto_augment_image_net,
    "randaugment": lambda images, **keywords: rand_augment.rand_augment(images, n=2, m=15, **keywords),
    "trivialaugment": trivial_augment.trivial_augment_wide,
}


@pipeline_def(enable_conditionals=True, batch_size=3, num_threads=2, device_id=0, seed=9)
def training_pipe(policy):
    encoded, labels = fn.readers.file(file_root=sys.argv[1], random_shuffle=True, name="Reader")
    shape = fn.peek_image_shape(encoded)
    images = fn.decoders.image(encoded, device="mixed", output_type=types.RGB)
    if fn.random.coin_flip(probability=0.5, dtype=types.BOOL):
        images = fn.flip(images, device="gpu")
    images = policy(images, shape=shape)
    images = fn.resize(images, size=[20, 20], device="gpu")
    return fn.crop_mirror_normalize(images, device="gpu", mean=[128.0], std=[64.0]), labels


for name, policy in POLICIES.items():
    for batch in DALIClassificationIterator(training_pipe(policy), reader_name="Reader"):
        images, labels = batch[0]["data"], batch[0]["label"]
        print(name, tuple(images.shape), labels.flatten().tolist(), f"{images.mean():.1f}")
