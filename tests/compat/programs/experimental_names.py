"""Operators by the names they had while they were experimental, as older programs call them. Argument: a folder."""

import sys
import warnings

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

warnings.simplefilter("ignore")


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=17)
def older():
    encoded, labels = fn.readers.file(file_root=sys.argv[1])
    images = fn.experimental.decoders.image(encoded, output_type=types.RGB)
    window = fn.experimental.decoders.image_crop(encoded, crop=(12, 14), crop_pos_x=0.25)
    part = fn.experimental.decoders.image_slice(encoded, start=[2, 3], shape=[8, 9], axis_names="HW")
    drawn = fn.experimental.decoders.image_random_crop(encoded, seed=5)
    shape = fn.experimental.peek_image_shape(encoded)
    equal = fn.experimental.equalize(images)
    kernel = fn.constant(fdata=[0, 1, 0, 1, 2, 1, 0, 1, 0], shape=[3, 3])
    filtered = fn.experimental.filter(images, kernel / 6)
    grey = fn.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY)
    bayer = fn.experimental.debayer(fn.crop(grey, crop=(20, 20)), blue_position=[0, 1], algorithm="bilinear_ocv")
    resized = fn.experimental.tensor_resize(images, sizes=[10, 11, 3])
    line = fn.cast(fn.reshape(fn.crop(grey, crop=(4, 40)), shape=[160]), dtype=types.FLOAT)
    sound = fn.experimental.audio_resample(line, scale=0.5)
    classes = ops.experimental.Equalize()(images)
    return images, window, part, drawn, shape, equal, filtered, bayer, resized, sound, classes, labels


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=17)
def oldest():
    encoded, labels = fn.file_reader(file_root=sys.argv[1])
    images = fn.image_decoder(encoded)
    flip = fn.coin_flip(probability=0.5)
    scale = fn.uniform(range=(0.5, 1.5))
    noise = fn.normal_distribution(images, mean=0.0, stddev=2.0, dtype=types.FLOAT)
    images = fn.crop_mirror_normalize(
        images, mirror=flip, output_dtype=types.FLOAT, output_layout=types.NHWC, mean=[128.0]
    )
    moved = fn.transform_translation(offset=(1.0, 2.0))
    return images * scale + noise * 0.0, labels, fn.cast(flip, dtype=types.INT32), moved, fn.shapes(images)


for pipe in (older(), oldest()):
    pipe.build()
    for output in pipe.run():
        samples = [np.array(output[i]) for i in range(2)]
        means = [f"{each.astype(float).mean():.0f}" for each in samples]
        print(output.layout(), output.dtype, [each.shape for each in samples], means)
