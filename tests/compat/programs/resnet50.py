"""Training of a classifier with shards, one pipeline a process, and its validation. Arguments: a folder."""

import sys

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import pipeline_def
from nvidia.dali.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy


@pipeline_def(exec_dynamic=True)
def imagenet(data_dir, crop, size, shard_id, num_shards, is_training):
    images, labels = fn.readers.file(
        file_root=data_dir,
        shard_id=shard_id,
        num_shards=num_shards,
        random_shuffle=is_training,
        pad_last_batch=True,
        name="Reader",
    )
    if is_training:
        images = fn.decoders.image_random_crop(
            images, device="cpu", output_type=types.RGB, random_aspect_ratio=[0.8, 1.25], random_area=[0.1, 1.0],
            num_attempts=100,
        )  # fmt: skip
        images = fn.resize(images, resize_x=crop, resize_y=crop, interp_type=types.INTERP_TRIANGULAR)
        mirror = fn.random.coin_flip(probability=0.5)
    else:
        images = fn.decoders.image(images, device="cpu", output_type=types.RGB)
        images = fn.resize(images, size=size, mode="not_smaller", interp_type=types.INTERP_TRIANGULAR)
        mirror = False
    images = fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        output_layout="CHW",
        crop=(crop, crop),
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        mirror=mirror,
    )
    return images, labels


def loader(shard_id, is_training):
    pipe = imagenet(
        batch_size=2, num_threads=2, device_id=None, seed=12 + shard_id, data_dir=sys.argv[1], crop=16, size=20,
        shard_id=shard_id, num_shards=2, is_training=is_training,
    )  # fmt: skip
    pipe.build()
    return DALIClassificationIterator(
        pipe, reader_name="Reader", last_batch_policy=LastBatchPolicy.PARTIAL, auto_reset=True
    )


if __name__ == "__main__":
    for is_training in (True, False):
        for shard in range(2):
            batches = loader(shard, is_training)
            print("shard", shard, "training", is_training, "batches", len(batches), "size", batches._size)
            for epoch in range(2):
                for data in batches:
                    images = data[0]["data"]
                    target = data[0]["label"].squeeze(-1).long()
                    print(epoch, tuple(images.shape), images.dtype, target.tolist(), f"{images.mean():.2f}")
