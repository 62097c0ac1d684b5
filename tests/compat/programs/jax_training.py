"""Batches for JAX. Arguments: a folder."""

import sys

import jax
import jax.numpy as jnp
from nvidia.dali import fn
from nvidia.dali.plugin.jax import DALIGenericIterator, data_iterator


@data_iterator(output_map=["images", "labels"], reader_name="Reader", auto_reset=True)
def training():
    jpegs, labels = fn.readers.file(file_root=sys.argv[1], name="Reader")
    images = fn.decoders.image(jpegs, device="cpu")
    images = fn.resize(images, size=[8, 8])
    return fn.crop_mirror_normalize(images, std=[255.0]), fn.one_hot(labels, num_classes=2)


@jax.jit
def step(weights, images, labels):
    def loss(w):
        return ((images.reshape(len(images), -1) @ w - labels.reshape(len(labels), -1)) ** 2).mean()

    return weights - 0.05 * jax.grad(loss)(weights)


batches = training(batch_size=3, num_threads=1, device_id=None)
assert isinstance(batches, DALIGenericIterator)
weights = jnp.zeros((192, 2))
for _ in range(2):
    for batch in batches:
        weights = step(weights, batch["images"], batch["labels"])
print(batch["images"].shape, batch["labels"].shape, len(batches), batches._size, f"{float(jnp.abs(weights).sum()):.2f}")
