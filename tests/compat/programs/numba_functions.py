"""Operators compiled with Numba. Without arguments."""

import numpy as np
import nvidia.dali.types as types
from nvidia.dali import fn, pipeline_def
from nvidia.dali.plugin.numba.experimental import NumbaFunction
from nvidia.dali.plugin.numba.fn.experimental import numba_function


def double_sample(out_sample, in_sample):
    out_sample[:] = in_sample[:] * 2


def set_all_values_to_255_batch(out0, in0):
    out0[0][:] = 255
    for i in range(1, len(out0)):
        out0[i][:] = in0[i][:] // 2


def rot_shape(out_shapes, in_shapes):
    for sample_idx in range(len(out_shapes[0])):
        out_shapes[0][sample_idx][0] = in_shapes[0][sample_idx][1]
        out_shapes[0][sample_idx][1] = in_shapes[0][sample_idx][0]
        out_shapes[0][sample_idx][2] = in_shapes[0][sample_idx][2]


def rot_image(out_sample, in_sample):
    for i in range(out_sample.shape[0]):
        for j in range(out_sample.shape[1]):
            out_sample[i][j] = in_sample[j][out_sample.shape[0] - i - 1]


def split_shape(out_shapes, in_shapes):
    for o in range(len(out_shapes)):
        for sample_idx in range(len(out_shapes[0])):
            for d in range(2):
                out_shapes[o][sample_idx][d] = in_shapes[0][sample_idx][d]


def split_channels(out0, out1, out2, in_sample):
    for i in range(in_sample.shape[0]):
        for j in range(in_sample.shape[1]):
            out0[i][j] = in_sample[i][j][0]
            out1[i][j] = in_sample[i][j][1]
            out2[i][j] = in_sample[i][j][2]


def same_shape(out_shapes, in_shapes):
    for sample_idx in range(len(out_shapes[0])):
        out_shapes[0][sample_idx][0] = in_shapes[0][sample_idx][0]


def mixed_up(out_sample, values, factor):
    for i in range(values.shape[0]):
        out_sample[i] = values[i] * factor[0] + i


def batches(info):
    rng = np.random.default_rng(info.iteration)
    return [rng.integers(0, 120, (2 + k, 3, 3), np.uint8) for k in range(3)]


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def compiled():
    images = fn.external_source(batches, batch_info=True, layout="HWC")
    doubled = numba_function(
        images, run_fn=double_sample, out_types=[types.UINT8], in_types=[types.UINT8], outs_ndim=[3], ins_ndim=[3],
        batch_processing=False,
    )  # fmt: skip
    marked = numba_function(
        images, run_fn=set_all_values_to_255_batch, out_types=[types.UINT8], in_types=[types.UINT8], outs_ndim=[3],
        ins_ndim=[3], batch_processing=True,
    )  # fmt: skip
    turned = numba_function(
        images, run_fn=rot_image, setup_fn=rot_shape, out_types=[types.UINT8], in_types=[types.UINT8], outs_ndim=[3],
        ins_ndim=[3], batch_processing=False,
    )  # fmt: skip
    reds, greens, blues = NumbaFunction(
        run_fn=split_channels, setup_fn=split_shape, out_types=[types.UINT8] * 3, in_types=[types.UINT8],
        outs_ndim=[2, 2, 2], ins_ndim=[3], batch_processing=False, device="cpu",
    )(images)  # fmt: skip
    values = fn.random.uniform(range=[0.0, 1.0], shape=[4], seed=12)
    factor = fn.cast(fn.reductions.max(images), dtype=types.FLOAT)
    scaled = numba_function(
        values, fn.reshape(factor, shape=[1]), run_fn=mixed_up, setup_fn=same_shape, out_types=[types.FLOAT],
        in_types=[types.FLOAT, types.FLOAT], outs_ndim=[1], ins_ndim=[1, 1], batch_processing=False,
    )  # fmt: skip
    return doubled, marked, turned, reds, greens, blues, scaled


pipe = compiled()
pipe.build()
for _ in range(2):
    for output in pipe.run():
        samples = [np.array(output[i]) for i in range(3)]
        sums = [f"{sample.astype(float).sum():.2f}" for sample in samples]
        print(output.dtype, [sample.shape for sample in samples], sums)
