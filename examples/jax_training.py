"""JAX: batches as arrays that are sharded over all devices, of this and of other processes.

python examples/jax_training.py

Each process reads the shard of the data set that its devices train on. Here two devices are asked of the CPU. The
pictures are noise in two shades, made here. Needs `pip install penstock[jax]`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import penstock.dynamic as ndd


def make_pictures(root: Path, count: int = 64) -> Path:
    """Arrays of noise, a file for each: the even ones are dark, the odd ones bright."""
    rng = np.random.default_rng(0)
    for number in range(count):
        np.save(root / f"{number:03d}.npy", rng.integers(0, 160, (24, 24, 3), np.uint8) + np.uint8(90 * (number % 2)))
    return root


def epochs(root: Path, batch_size: int, sharding: NamedSharding) -> Iterator[Iterator[tuple[jax.Array, jax.Array]]]:
    """Endless epochs of batches, `batch_size` samples of all processes together. Shapes stay: JAX compiles once."""
    shard = {"shard_id": jax.process_index(), "num_shards": jax.process_count()}
    reader = ndd.readers.Numpy(file_root=root, shuffle_after_epoch=True, **shard)

    def batches() -> Iterator[tuple[jax.Array, jax.Array]]:
        own = batch_size // jax.process_count()
        for (arrays,) in reader.next_epoch(batch_size=own, last_batch="drop", compile=True):
            mirror = ndd.random.coin_flip(batch_size=own)
            pictures = ndd.reinterpret(arrays, layout="HWC")
            pictures = ndd.crop_mirror_normalize(
                pictures, mirror=mirror, mean=[127.5], std=[64], dtype=ndd.float32, output_layout="HWC"
            )
            labels = ndd.get_property(arrays, key="index").numpy().ravel() % 2
            yield (
                jax.make_array_from_process_local_data(sharding, pictures.numpy()),
                jax.make_array_from_process_local_data(sharding, labels),
            )

    while True:
        yield batches()


@jax.jit
def step(weights: jax.Array, pictures: jax.Array, labels: jax.Array) -> tuple[jax.Array, jax.Array]:
    def loss(weights: jax.Array) -> jax.Array:
        features = jnp.concatenate([pictures.mean((1, 2)), jnp.ones((len(pictures), 1))], axis=1)
        scores = jax.nn.log_softmax(features @ weights)
        return -jnp.take_along_axis(scores, labels[:, None], axis=1).mean()

    value, gradient = jax.value_and_grad(loss)(weights)
    return weights - gradient, value


def main() -> None:
    ndd.random.set_seed(0)
    sharding = NamedSharding(Mesh(np.array(jax.devices()), "batch"), PartitionSpec("batch"))
    weights = jnp.zeros((4, 2))
    with tempfile.TemporaryDirectory() as folder:
        endless = epochs(make_pictures(Path(folder)), 16, sharding)
        for epoch, batches in zip(range(4), endless, strict=False):
            losses = []
            for pictures, labels in batches:
                weights, loss = step(weights, pictures, labels)
                losses.append(float(loss))
            devices = len(pictures.sharding.device_set)
            print(f"epoch {epoch}: {len(losses)} batches of {pictures.shape} on {devices} devices, "
                  f"loss {np.mean(losses):.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
