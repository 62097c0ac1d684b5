"""A run of an iterator that is stopped in the middle of an epoch and goes on. Argument: a folder of images."""

import sys

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIGenericIterator, DALIRaggedIterator, LastBatchPolicy


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=21, enable_checkpointing=True)
def training(shard_id):
    encoded, labels = fn.readers.file(
        file_root=sys.argv[1], random_shuffle=True, initial_fill=3, shard_id=shard_id, num_shards=2, name="Reader",
        stick_to_shard=False, pad_last_batch=False,
    )  # fmt: skip
    images = fn.decoders.image(encoded, output_type=types.RGB)
    images = fn.random_resized_crop(images, size=[12, 14])
    images = fn.noise.gaussian(images, stddev=10.0)
    return images, labels, fn.random.coin_flip()


def loader(checkpoints=(None, None), kind=DALIGenericIterator, **options):
    pipes = [training(shard, checkpoint=checkpoint) for shard, checkpoint in enumerate(checkpoints)]
    return kind(pipes, ["data", "label", "flag"], reader_name="Reader", auto_reset=True,
                last_batch_policy=LastBatchPolicy.PARTIAL, **options)  # fmt: skip


def shown(step):
    return [
        (each["label"].ravel().tolist(), each["flag"].ravel().tolist(), round(float(each["data"].float().mean())))
        for each in step
    ]


def run(batches, epochs):
    for epoch in range(epochs):
        for i, step in enumerate(batches):
            yield epoch, i, shown(step)


whole = [*run(loader(), 3)]
print(*whole, sep="\n")
stopped = loader()
for _, step in zip(range(3), run(stopped, 3)):  # noqa: B905
    last = step
rest = [made for _, _, made in run(loader(stopped.checkpoints()), 2)]
assert rest == [made for _, _, made in whole][3 : 3 + len(rest)], (rest, whole)
print(len(rest), len(stopped), stopped.size)

ragged = loader(kind=DALIRaggedIterator, output_types=[DALIRaggedIterator.DENSE_TAG, "sparse_list", "dense"])
[first, second] = next(ragged)
print(first["data"].shape, [label.tolist() for label in first["label"]], second["flag"].shape)
