"""Which operators run on a GPU: all of DALI's that run on one there."""

from __future__ import annotations

import json
from pathlib import Path

from penstock.engine.backends.gpu import has_kernel
from penstock.ops.declaration import declaration

DALI = json.loads((Path(__file__).parents[1] / "ops/spec_data.json").read_text())
# Those that DALI, too, has for the CPU only.
OF_CPU = {
    "batch_permutation", "bbox_paste", "bbox_rotate", "decoders.audio", "decoders.numpy",
    "experimental.peek_image_shape", "full", "full_like", "io.file.read", "ones", "ones_like",
    "peek_image_shape", "power_spectrum", "random.beta", "random.choice", "random_bbox_crop",
    "random_crop_generator", "roi_random_crop", "segmentation.random_mask_pixel", "segmentation.random_object_bbox",
    "segmentation.select_masks", "transforms.combine", "transforms.crop",
    "transforms.rotation", "transforms.scale", "transforms.shear", "transforms.translation", "zeros", "zeros_like",
}  # fmt: skip


def test_what_runs_on_a_gpu_in_dali_runs_on_one() -> None:
    ops = {path: declaration(path) for path in DALI}
    assert {path for path, op in ops.items() if op.runs_on == "cpu"} == OF_CPU
    assert [path for path, op in ops.items() if op.runs_on != "cpu" and not has_kernel(op)] == []
