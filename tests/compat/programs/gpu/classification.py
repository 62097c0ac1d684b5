"""Training on a GPU as examples print it: a pipeline that decodes to it, and the same loop in dynamic mode."""

import sys

import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIClassificationIterator, LastBatchPolicy

pictures = sys.argv[1]
MEAN, STD = [0.485 * 255, 0.456 * 255, 0.406 * 255], [0.229 * 255, 0.224 * 255, 0.225 * 255]


@pipeline_def
def training_pipeline(folder, crop, size, dali_cpu=False):
    images, labels = fn.readers.file(file_root=folder, pad_last_batch=True, name="Reader")
    dali_device = "cpu" if dali_cpu else "gpu"
    decoder_device = "cpu" if dali_cpu else "mixed"
    images = fn.decoders.image(
        images,
        device=decoder_device,
        output_type=types.RGB,
        device_memory_padding=211025920 if decoder_device == "mixed" else 0,
        host_memory_padding=140544512 if decoder_device == "mixed" else 0,
    )
    images = fn.resize(images, device=dali_device, size=size, mode="not_smaller", interp_type=types.INTERP_TRIANGULAR)
    mirror = fn.random.coin_flip(probability=0.5)
    images = fn.crop_mirror_normalize(
        images.gpu(), dtype=types.FLOAT, output_layout="CHW", crop=(crop, crop), mean=MEAN, std=STD, mirror=mirror
    )
    return images, labels.gpu()


pipe = training_pipeline(pictures, 24, 28, batch_size=4, num_threads=2, device_id=0, seed=12)
pipe.build()
loader = DALIClassificationIterator(
    pipe, reader_name="Reader", last_batch_policy=LastBatchPolicy.PARTIAL, auto_reset=True
)
for batch in loader:
    data, target = batch[0]["data"], batch[0]["label"].squeeze(-1).long()
print("pipeline", tuple(data.shape), target.tolist())

reader = ndd.readers.File(file_root=pictures, pad_last_batch=True)
stream = ndd.stream()
ndd.set_current_stream(stream)
for jpegs, labels in reader.next_epoch(batch_size=4):
    decoded = ndd.decoders.image(jpegs, device="gpu")
    flip = ndd.random.coin_flip(batch_size=4, probability=0.5)
    with ndd.EvalMode.sync_full:
        made = ndd.crop_mirror_normalize(
            ndd.resize(decoded, size=[28, 28]), crop=(24, 24), mean=MEAN, std=STD, mirror=flip, dtype=ndd.float32,
            output_layout="CHW",
        )  # fmt: skip
    target = labels.gpu().torch()
print("dynamic", made.device, tuple(made.torch().shape), tuple(target.shape))
