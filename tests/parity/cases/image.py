"""Geometry and pixels of images."""

from __future__ import annotations

from typing import Any

FILTERS = ["NN", "LINEAR", "CUBIC", "LANCZOS3", "TRIANGULAR", "GAUSSIAN"]
MODES = ["default", "stretch", "not_larger", "not_smaller"]

OTHER_NAMES = ("constant", "const", "Fill", "101", "1001", "Reflect", "clamp")

CASES: list[dict[str, Any]] = [
    {
        "operator": "resize",
        "within": 1,
        "calls": [
            *(f"ndd.resize(photos, size=[40, 30], interp_type=T.INTERP_{kind})" for kind in FILTERS),
            *(f"ndd.resize(photos, size=[211, 190], interp_type=T.INTERP_{kind})" for kind in FILTERS),
            *(f"ndd.resize(photos, size=[40, 30], interp_type=T.INTERP_{kind}, antialias=False)" for kind in FILTERS),
            *(f"ndd.resize(photos, size=[50, 60], mode='{mode}')" for mode in MODES),
            "ndd.resize(photos, resize_shorter=48)",
            "ndd.resize(photos, size=None, resize_shorter=48, max_size=None, mode=None)",
            *(f"ndd.resize(row, size={size})" for size in (1e-10, 0.1, 0.3, [1e-10, 3])),
            "ndd.resize(photos, resize_shorter=48, max_size=60)",
            "ndd.resize(photos, resize_longer=48)",
            "ndd.resize(photos, resize_x=31)",
            "ndd.resize(photos, resize_y=31.4, subpixel_scale=False)",
            "ndd.resize(photos, size=ndd.batch([[20, 30], [30, 20], [64, 64]]))",
            "ndd.resize(photos, size=[32, 24], roi_start=[10, 5], roi_end=[40, 50])",
            "ndd.resize(photos, size=[32, 24], roi_start=[0.9, 0.1], roi_end=[0.1, 0.9], roi_relative=True)",
            "ndd.resize(photos, size=[-32, 24])",
            "ndd.resize(photos, size=[32, 24], min_filter=T.INTERP_CUBIC, mag_filter=T.INTERP_NN)",
            "ndd.resize(photos, size=[32, 24], dtype=T.FLOAT)",
            "ndd.resize(grey, size=[32, 24])",
            "ndd.resize(planar, size=[32, 24])",
            "ndd.resize(video, size=[12, 14])",
            "ndd.resize(wide_u16, size=[20, 33])",
            "ndd.resize(wide_i16, size=[20, 33])",
            "ndd.resize(photos)",
            "ndd.resize(photos, size=[10, 10, 10])",
        ],
    },
    {
        "operator": "resize (float)",
        "within": 1e-4,
        "calls": [f"ndd.resize(floats, size=[20, 33], interp_type=T.INTERP_{kind})" for kind in FILTERS],
    },
    {
        "operator": "random_resized_crop",
        "within": 1,
        "calls": [
            "ndd.random_resized_crop(video, size=[10, 12])",
        ],
    },
    {
        "operator": "random_crop_generator",
        "calls": [
            "ndd.random_crop_generator(i32[5:7] + 99, random_area=[0.1, 0.2], random_aspect_ratio=[0.5, 2.0])",
            "ndd.random_crop_generator(f32)",
        ],
    },
    {
        "operator": "crop",
        "calls": [
            *(f"ndd.crop(photos, crop=[70, 90], out_of_bounds_policy='{name}', fill_values=7)" for name in OTHER_NAMES),
            "ndd.crop(photos, crop_h=21, crop_w=15, crop_pos_x=0.2, crop_pos_y=0.8)",
            "ndd.crop(photos, crop=[20, 16], crop_pos_x=ndd.batch([0.0, 0.3, 1.0]), rounding='truncate')",
            "ndd.crop(photos, crop=[20, 16], dtype=T.FLOAT)",
            "ndd.crop(photos, crop=[500, 16], out_of_bounds_policy='pad', fill_values=[1, 2, 3])",
            "ndd.crop(photos, crop=[500, 16], out_of_bounds_policy='trim_to_shape')",
            "ndd.crop(photos, crop=[500, 16])",
            "ndd.crop(planar, crop=[20, 16])",
            "ndd.crop(video, crop=[8, 9])",
            "ndd.crop(volume, crop_d=3, crop_h=5, crop_w=4)",
        ],
    },
    {
        "operator": "crop_mirror_normalize",
        "within": 1e-5,
        "calls": [
            "ndd.crop_mirror_normalize(photos, crop=None, mean=None, std=None, mirror=None, fill_values=None)",
            "ndd.crop_mirror_normalize(photos, mean=[120.0, 110.0, 100.0], std=[60.0, 61.0, 62.0])",
            "ndd.crop_mirror_normalize(photos, mirror=1, output_layout='HWC')",
            "ndd.crop_mirror_normalize(photos, mirror=ndd.batch([0, 1, 0]), mean=[127.0], std=[64.0])",
            "ndd.crop_mirror_normalize(photos, dtype=T.UINT8, mean=[-20.3], std=[1.5])",
            "ndd.crop_mirror_normalize(photos, dtype=T.INT8, mean=[128.0])",
            "ndd.crop_mirror_normalize(photos, pad_output=True, fill_values=[7.0])",
            "ndd.crop_mirror_normalize(photos, crop=[500, 16], out_of_bounds_policy='pad', fill_values=[1.0])",
            "ndd.crop_mirror_normalize(planar, crop=[20, 16])",
            "ndd.crop_mirror_normalize(video, crop=[8, 9], output_layout='FCHW')",
            "ndd.crop_mirror_normalize(floats, mean=[0.5], std=[0.1])",
        ],
    },
    {
        "operator": "flip",
        "calls": [
            "ndd.flip(planar, vertical=1)",
            "ndd.flip(video)",
            "ndd.flip(volume, depthwise=1, horizontal=0)",
            "ndd.flip(row)",
        ],
    },
]
