"""Penstock on Ray: operators over the rows of Ray Data, readers as its sources, shards of readers for Ray Train.

import penstock.ray

ds = ray.data.read_binary_files("train", include_paths=True)
ds = penstock.ray.map_batches(ds, decode_and_augment, compute=ray.data.ActorPoolStrategy(size=8))
for batch in ds.iter_torch_batches(batch_size=256):
    train_step(batch["image"])
"""

from penstock.interop.extras import framework

framework("ray.data", "penstock.ray", "ray")  # before the others import it and say less

from penstock.ray.mapper import BatchMapper, map_batches  # noqa: E402
from penstock.ray.reader_datasource import ReaderDatasource, read  # noqa: E402
from penstock.ray.worker_shard import save_shard, worker_shard  # noqa: E402

__all__ = ["BatchMapper", "ReaderDatasource", "map_batches", "read", "save_shard", "worker_shard"]
