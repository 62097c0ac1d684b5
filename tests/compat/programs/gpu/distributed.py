"""One process for each GPU: torchrun --nproc_per_node=2 distributed.py FOLDER."""

import os
import sys

import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.fn as fn
import nvidia.dali.types as types
import torch
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy

local_rank, world_size = int(os.environ["LOCAL_RANK"]), int(os.environ["WORLD_SIZE"])


@pipeline_def
def training_pipeline(folder, shard_id, num_shards):
    jpegs, labels = fn.readers.file(
        file_root=folder, shard_id=shard_id, num_shards=num_shards, pad_last_batch=True, name="Reader"
    )
    images = fn.decoders.image(jpegs, device="mixed", output_type=types.RGB)
    images = fn.resize(images, device="gpu", size=[16, 16])
    return fn.crop_mirror_normalize(images, dtype=types.FLOAT, output_layout="CHW"), labels.gpu()


torch.distributed.init_process_group("gloo")
pipe = training_pipeline(
    sys.argv[1], local_rank, world_size, batch_size=2, num_threads=2, device_id=local_rank, seed=12 + local_rank
)
loader = DALIClassificationIterator(pipe, reader_name="Reader", last_batch_policy=LastBatchPolicy.PARTIAL)
seen = torch.tensor([sum(len(batch[0]["label"]) for batch in loader)])

with ndd.Device(f"gpu:{local_rank}"):
    reader = ndd.readers.File(file_root=sys.argv[1], shard_id=local_rank, num_shards=world_size)
    for jpegs, _ in reader.next_epoch(batch_size=3):
        images = ndd.resize(ndd.decoders.image(jpegs, device="gpu"), size=[16, 16])

torch.distributed.all_reduce(seen)
where = [None] * world_size
torch.distributed.all_gather_object(where, f"{images.device} of pipeline {pipe.device_id}")
if local_rank == 0:
    print(seen.item(), where)
torch.distributed.destroy_process_group()
