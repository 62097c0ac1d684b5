"""Streams, contexts, evaluation modes and moves between devices. Argument: a folder of images."""

import sys

import numpy as np
import nvidia.dali.experimental.dynamic as ndd
import torch

t = ndd.tensor(np.arange(6, dtype=np.float32).reshape(2, 3, 1), layout="HWC")
g = t.gpu()
print(g.device, (g * 2).cpu().torch().flatten().tolist(), np.array_equal(np.asarray(g.cpu()), np.asarray(t)))
print(torch.equal(torch.from_dlpack(g).cpu(), t.torch()), ndd.as_tensor(g, device="cpu").device)

stream = ndd.stream(device_id=0)
ndd.set_default_stream(stream)
assert ndd.get_default_stream() == ndd.get_current_stream() == stream
with ndd.EvalContext(num_threads=2, device_id=0, cuda_stream=stream) as context:
    assert context.cuda_stream == stream
    assert context.device_id == 0
    with ndd.EvalMode.sync_full:
        flipped = ndd.flip(g, horizontal=True)
    print(flipped.device, flipped.torch().flatten().tolist())
stream.synchronize()
ndd.set_default_stream(None)

with ndd.Device("gpu:0"):
    print(ndd.Device.current(), ndd.random.uniform(range=[0.0, 1.0], batch_size=2).device)

paths = [f"{sys.argv[1]}/{number // 3}/{number}.png" for number in range(4)]
images = ndd.imread(paths, device="gpu")
print(images.device, images.shape[0], tuple(ndd.as_tensor(images, pad=True).torch().shape))
with ndd.EvalMode.deferred:
    small = ndd.resize(images, size=[8, 8])
batch = small.torch()
assert batch.data_ptr() == small.torch().data_ptr()
print(tuple(batch.shape), ndd.as_batch(batch, device="gpu", layout="HWC").device)
