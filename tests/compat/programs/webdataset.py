"""Images and labels from an archive. Arguments: the archive."""

import sys

import numpy as np
import nvidia.dali.fn as fn
from nvidia.dali import pipeline_def, types


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def from_archive():
    img, cls = fn.readers.webdataset(
        paths=[sys.argv[1]], ext=["jpg;png", "cls"], missing_component_behavior="error", name="Reader"
    )
    img = fn.decoders.image(img, device="cpu", output_type=types.RGB)
    img = fn.resize(img, device="cpu", resize_x=16, resize_y=16)
    return img, cls


pipe = from_archive()
pipe.build()
print(pipe.epoch_size("Reader"))
for _ in range(3):
    img, cls = pipe.run()
    labels = [bytes(np.array(cls[i])).decode() for i in range(2)]
    print(labels, img.shape(), [int(np.array(img[i]).sum() // 500) for i in range(2)])
