"""An iterator in the place of a DataLoader, as trainers with data modules use it. Arguments: a folder."""

import sys

from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy


@pipeline_def
def digits(root, device, shard_id=0, num_shards=1):
    jpegs, labels = fn.readers.file(
        file_root=root, shard_id=shard_id, num_shards=num_shards, random_shuffle=False, name="Reader"
    )
    images = fn.decoders.image(jpegs, device="mixed" if device == "gpu" else "cpu", output_type=types.GRAY)
    images = fn.resize(images, size=[8, 8])
    images = fn.crop_mirror_normalize(images, dtype=types.FLOAT, std=[0.3081 * 255], mean=[0.1307 * 255])
    return images, labels


class LoaderOfTrainer(DALIGenericIterator):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)

    def __next__(self):
        out = super().__next__()
        out = out[0]  # one pipeline a process
        return [out[name] if name != "label" else out[name].squeeze().long() for name in self.output_map]


class DataModule:
    def setup(self):
        pipe = digits(batch_size=4, device="cpu", device_id=None, num_threads=2, root=sys.argv[1])
        self.loader = LoaderOfTrainer(
            pipe, ["data", "label"], reader_name="Reader", last_batch_policy=LastBatchPolicy.DROP
        )

    def train_dataloader(self):
        return self.loader


module = DataModule()
module.setup()
for epoch in range(2):
    for step, (x, y) in enumerate(module.train_dataloader()):
        print(epoch, step, tuple(x.shape), y.tolist(), f"{x.mean():.2f}")
    module.loader.reset()
print(len(module.loader), module.loader.batch_size, module.loader.size)
