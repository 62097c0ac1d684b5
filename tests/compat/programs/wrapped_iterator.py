"""Pretraining with several crops of an image, whose iterator is wrapped. Argument: a folder of images."""

import math
import sys

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.ops as ops
import nvidia.dali.types as types
import torch
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy


class Mux:
    def __init__(self, prob):
        self.to_bool = ops.Cast(dtype=types.DALIDataType.BOOL)
        self.rng = ops.random.CoinFlip(probability=prob)

    def __call__(self, true_case, false_case):
        condition = self.to_bool(self.rng())
        return condition * true_case + (condition ^ True) * false_case


class RandomGray:
    def __init__(self, prob=0.2):
        self.mux = Mux(prob)
        self.grayscale = ops.ColorSpaceConversion(image_type=types.RGB, output_type=types.GRAY)

    def __call__(self, images):
        out = self.grayscale(images)
        return self.mux(true_case=fn.cat(out, out, out, axis=2), false_case=images)


class RandomColorJitter:
    def __init__(self, brightness, contrast, saturation, hue, prob=0.8):
        self.mux = Mux(prob)
        self.color = ops.ColorTwist(device="cpu")
        self.ranges = [(max(0, 1 - x), 1 + x) for x in (brightness, contrast, saturation)] + [(-hue * 360, hue * 360)]

    def __call__(self, images):
        brightness, contrast, saturation, hue = (fn.random.uniform(range=bounds) for bounds in self.ranges)
        out = self.color(images, brightness=brightness, contrast=contrast, saturation=saturation, hue=hue)
        return self.mux(true_case=out, false_case=images)


class Transform:
    def __init__(self, size, min_scale):
        self.random_crop = ops.RandomResizedCrop(
            size=size, random_area=(min_scale, 1.0), interp_type=types.INTERP_CUBIC
        )
        self.jitter, self.gray = RandomColorJitter(0.4, 0.4, 0.2, 0.1), RandomGray()
        self.cmn = ops.CropMirrorNormalize(
            dtype=types.FLOAT, output_layout=types.NCHW, mean=[v * 255 for v in (0.485, 0.456, 0.406)],
            std=[v * 255 for v in (0.228, 0.224, 0.225)],
        )  # fmt: skip
        self.coin = ops.random.CoinFlip(probability=0.5)

    def __call__(self, images):
        return self.cmn(self.gray(self.jitter(self.random_crop(images))), mirror=self.coin())


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=3)
def crops(transforms, shard_id, num_shards):
    encoded, labels = fn.readers.file(
        file_root=sys.argv[1], shard_id=shard_id, num_shards=num_shards, shuffle_after_epoch=True, name="Reader"
    )
    images = fn.decoders.image(encoded)
    return (*(transform(images) for transform in transforms), fn.cast(labels, dtype=types.INT64))


class PretrainWrapper(DALIGenericIterator):
    def __init__(self, model_batch_size, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.model_batch_size = model_batch_size

    def __len__(self):
        dropping = self._last_batch_policy == LastBatchPolicy.DROP
        size = self._size_no_pad // self._shards_num if dropping else self.size
        if self._reader_name:
            return size // self.batch_size if dropping else math.ceil(size / self.batch_size)
        return math.ceil(size / (self._num_gpus * self.batch_size))

    def __next__(self):
        batch = super().__next__()[0]
        *all_x, targets = (batch[name] for name in self.output_map)
        return [x.detach().clone() for x in all_x], targets.squeeze(-1).long().detach().clone()


torch.manual_seed(0)
for policy in (LastBatchPolicy.FILL, LastBatchPolicy.DROP, LastBatchPolicy.PARTIAL):
    pipe = crops([Transform(16, 0.3), Transform(16, 0.3), Transform(8, 0.1)], 0, 2)
    pipe.build()
    names = ["large1", "large2", "small", "label"]
    batches = PretrainWrapper(
        2, pipelines=[pipe], output_map=names, reader_name="Reader", last_batch_policy=policy, auto_reset=True
    )
    for epoch in range(2):
        for all_x, targets in batches:
            shown = [(tuple(x.shape), f"{x.mean():.1f}") for x in all_x]
            print(policy.name, len(batches), batches._pipes[0].max_batch_size, epoch, shown, targets.tolist())
print(np.isfinite(all_x[0].numpy()).all())
