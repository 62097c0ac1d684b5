"""Patches of volumes with a foreground, as U-Nets for tomography are trained with. Without arguments."""

import os
import tempfile

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.math as math
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy


def write(folder):
    rng = np.random.default_rng(2)
    for k in range(4):
        image = rng.normal(size=(1, 14 + k, 16, 18)).astype(np.float32)
        label = np.zeros((1, 14 + k, 16, 18), np.uint8)
        label[0, 3 : 6 + k, 4:9, 10:14] = 1
        np.save(os.path.join(folder, f"case_{k}_x.npy"), image)
        np.save(os.path.join(folder, f"case_{k}_y.npy"), label)


class TrainPipeline(Pipeline):
    def __init__(self, batch_size, folder, patch, oversampling):
        super().__init__(batch_size=batch_size, num_threads=2, device_id=None, seed=31)
        names = [f"case_{k}" for k in range(4)]
        self.input_x = ops.readers.Numpy(
            file_root=folder,
            files=[f"{name}_x.npy" for name in names],
            seed=31,
            shuffle_after_epoch=True,
            name="ReaderX",
        )
        self.input_y = ops.readers.Numpy(
            file_root=folder,
            files=[f"{name}_y.npy" for name in names],
            seed=31,
            shuffle_after_epoch=True,
            name="ReaderY",
        )
        self.crop_shape, self.oversampling = patch, oversampling
        self.crop_shape_float = types.Constant(np.array(patch), dtype=types.FLOAT)

    def load_data(self):
        img = fn.reshape(self.input_x(), layout="CDHW")
        lbl = fn.reshape(self.input_y(), layout="CDHW")
        return img, lbl

    def random_augmentation(self, probability, augmented, original):
        condition = fn.cast(fn.random.coin_flip(probability=probability), dtype=types.DALIDataType.BOOL)
        return condition * augmented + (condition ^ True) * original

    def biased_crop(self, img, label):
        roi_start, roi_end = fn.segmentation.random_object_bbox(
            label, format="start_end", foreground_prob=self.oversampling, background=0, cache_objects=True
        )
        shape = fn.slice(label.shape(dtype=types.INT32), 1, 3, axes=[0])
        anchor = fn.roi_random_crop(label, roi_start=roi_start, roi_end=roi_end, crop_shape=[1, *self.crop_shape])
        anchor = fn.cast(fn.slice(anchor, 1, 3, axes=[0]), dtype=types.INT32)  # drops the channels
        img, label = fn.slice([img, label], anchor, self.crop_shape, axis_names="DHW", out_of_bounds_policy="pad")
        return img, label, shape

    def define_graph(self):
        img, lbl = self.load_data()
        img, lbl, shape = self.biased_crop(img, lbl)
        for axis in ("horizontal", "vertical", "depthwise"):
            flip = fn.random.coin_flip(probability=0.33)
            img, lbl = fn.flip([img, lbl], **{"horizontal": 0, axis: flip})
        noisy = img + fn.random.normal(img, stddev=fn.random.uniform(range=(0.0, 0.33)))
        img = self.random_augmentation(0.5, noisy, img)
        img = self.random_augmentation(0.5, img * fn.random.uniform(range=(0.7, 1.3)), img)
        low, high = fn.reductions.min(img), fn.reductions.max(img)
        img = math.clamp(img * fn.random.uniform(range=(0.65, 1.5)), low, high)
        return img, lbl, shape


with tempfile.TemporaryDirectory() as folder:
    write(folder)
    pipe = TrainPipeline(2, folder, (8, 10, 12), 0.5)
    batches = DALIGenericIterator(
        pipe, ["image", "label", "shape"], reader_name="ReaderX", auto_reset=True,
        last_batch_policy=LastBatchPolicy.DROP,
    )  # fmt: skip
    for epoch in range(2):
        for [batch] in batches:
            image, label = batch["image"], batch["label"]
            print(epoch, tuple(image.shape), label.sum(dim=(1, 2, 3, 4)).tolist(), batch["shape"].tolist())
            print([f"{each.mean():.2f} {each.std():.2f}" for each in image])
