"""A run that is stopped and goes on from a checkpoint. Arguments: a folder, a file for the checkpoint."""

import sys

import numpy as np
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=5, enable_checkpointing=True)
def training():
    jpegs, labels = fn.readers.file(file_root=sys.argv[1], random_shuffle=True, initial_fill=4, name="Reader")
    images = fn.resize(fn.decoders.image(jpegs), size=[16, 16])
    return fn.rotate(images, angle=fn.random.uniform(range=[-30, 30]), keep_size=True), labels, fn.random.normal()


def shown(outputs):
    images, labels, drawn = outputs
    sums = [int(np.array(images[i]).sum() // 1000) for i in range(2)]
    return sums, np.array(labels.as_tensor()).ravel().tolist(), [f"{np.array(drawn[i]):.4f}" for i in range(2)]


pipe = training()
pipe.build()
for _ in range(4):
    pipe.run()
pipe.checkpoint(sys.argv[2])
expected = [shown(pipe.run()) for _ in range(5)]
with open(sys.argv[2], "rb") as file:
    restored = training(checkpoint=file.read())
restored.build()
assert [shown(restored.run()) for _ in range(5)] == expected
print(*expected[:2], sep="\n")
