"""Pipelines in JAX programs.

from penstock.plugin.jax import data_iterator

@data_iterator(output_map=["image", "label"], reader_name="train")
def training(root):
    jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True, name="train")
    return fn.resize(fn.decoders.image(jpegs), size=[224, 224]), labels

for batch in training("train", batch_size=64):
    state = train_step(state, batch["image"], batch["label"])
"""

from penstock.plugin.epochs import LastBatchPolicy
from penstock.plugin.jax import fn
from penstock.plugin.jax.iterator import DALIGenericIterator, data_iterator

__all__ = ["DALIGenericIterator", "LastBatchPolicy", "data_iterator", "fn"]
