"""A loop in dynamic mode that decodes to a GPU, eager and compiled. Argument: a folder."""

import sys

import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.types as types
import torch


def batches(folder, capture):
    reader = ndd.readers.File(file_root=folder, random_shuffle=True, seed=4, pad_last_batch=True)
    ndd.random.set_seed(42)
    for jpegs, labels in reader.next_epoch(batch_size=4, capture=capture):
        images = ndd.decoders.image(jpegs, device="gpu", output_type=types.RGB)
        xy = ndd.random.uniform(range=[0.0, 1.0], shape=2, batch_size=4)
        images = ndd.random_resized_crop(images, size=[24, 24], device="gpu")
        images = ndd.rotate(images, angle=ndd.random.uniform(range=[-20.0, 20.0], batch_size=4), fill_value=0)
        images = ndd.crop_mirror_normalize(
            images,
            crop=(20, 20),
            crop_pos_x=xy.slice[0],
            crop_pos_y=xy.slice[1],
            mirror=ndd.random.coin_flip(batch_size=4),
            mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
            std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
            dtype=ndd.float32,
            output_layout="CHW",
        )
        yield images.torch(), labels.gpu().torch().squeeze(-1).long()


eager = [(images.clone(), target.clone()) for images, target in batches(sys.argv[1], False)]
captured = [(images.clone(), target.clone()) for images, target in batches(sys.argv[1], True)]
for one, other in zip(eager, captured, strict=True):
    assert torch.equal(one[0], other[0])
    assert torch.equal(one[1], other[1])
print(len(eager), [tuple(images.shape) for images, _ in eager], [target.tolist() for _, target in eager])
print([f"{images.mean():.2f}" for images, _ in eager])
