"""Sequences of frames of videos. Arguments: a video."""

import sys

import numpy as np
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=1, num_threads=1, device_id=None)
def sequences():
    encoded = fn.external_source(lambda: [np.fromfile(sys.argv[1], np.uint8)])
    whole = fn.experimental.decoders.video(encoded, device="cpu")
    part = fn.sequence_rearrange(whole, new_order=[3, 0, 1])
    return fn.resize(whole, size=[12, 16]), fn.crop(part, crop=(8, 8), crop_pos_x=0.0, crop_pos_y=0.0), part


pipe = sequences()
pipe.build()
resized, cropped, part = pipe.run()
print(resized.layout(), resized.shape(), cropped.shape(), part.shape())
print([round(float(np.array(each[0]).mean()) / 10) for each in (resized, cropped, part)])
