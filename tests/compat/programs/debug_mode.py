"""A pipeline whose function runs in every iteration, so that nodes have values. Arguments: a folder."""

import sys

import numpy as np
from nvidia.dali import fn, types
from nvidia.dali.pipeline.experimental import pipeline_def

seen = []


@pipeline_def(batch_size=2, num_threads=1, device_id=None, debug=True, seed=3)
def training():
    jpegs, labels = fn.readers.file(file_root=sys.argv[1], name="Reader")
    images = fn.resize(fn.decoders.image(jpegs, output_type=types.RGB), size=[4, 4])
    values = images.get()
    seen.append(np.array(values.as_tensor()).shape)
    if seen:  # of Python, not of samples
        images = images * np.float32(2)
    return images, labels


pipe = training()
pipe.build()
for _ in range(2):
    images, labels = pipe.run()
print(seen, images.dtype, np.array(labels.as_tensor()).ravel().tolist())
