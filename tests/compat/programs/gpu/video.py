"""Videos on a GPU: read in sequences, decoded from memory, resized, and the flow between frames. Argument: a video."""

import sys

import numpy as np
import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIGenericIterator, LastBatchPolicy

video = sys.argv[1]


@pipeline_def(batch_size=2, num_threads=2, device_id=0, seed=12)
def video_pipe(filenames):
    videos = fn.readers.video(
        device="gpu", filenames=filenames, sequence_length=4, step=2, normalized=False, random_shuffle=False,
        image_type=types.RGB, dtype=types.UINT8, initial_fill=16, pad_last_batch=True, name="Reader",
    )  # fmt: skip
    flow = fn.optical_flow(videos, device="gpu", output_grid=4)
    coin = fn.random.coin_flip(probability=0.5)
    videos = fn.resize(videos, device="gpu", size=[24, 32])
    cropped = fn.crop_mirror_normalize(
        videos, device="gpu", crop=(16, 16), mean=[128.0], std=[64.0], mirror=coin, dtype=types.FLOAT,
        output_layout="FCHW",
    )  # fmt: skip
    return cropped, flow


loader = DALIGenericIterator(
    video_pipe([video]), ["frames", "flow"], reader_name="Reader", last_batch_policy=LastBatchPolicy.PARTIAL
)
for batch in loader:
    print(*(f"{key} {tuple(value.shape)} {value.mean():.1f}" for key, value in batch[0].items()))


@pipeline_def(batch_size=1, num_threads=1, device_id=0)
def decoded():
    encoded = fn.external_source(lambda: [np.fromfile(video, np.uint8)], dtype=types.UINT8)
    return fn.resize(fn.decoders.video(encoded, device="mixed"), resize_x=16, resize_y=12)


pipe = decoded()
pipe.build()
(frames,) = pipe.run()
print(type(frames).__name__, frames.layout(), frames.as_cpu().shape())

reader = ndd.readers.Video(filenames=[video], sequence_length=4, device="gpu")
for (clips,) in reader.next_epoch(batch_size=2):
    small = ndd.resize(clips, size=[12, 16])
    print(clips.device, small.layout, tuple(small.torch().shape))
