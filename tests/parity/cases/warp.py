"""Operators that take pixels from anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

BORDERS = ["constant", "replicate", "reflect", "reflect_101", "wrap"]


def inputs(ndd: Any) -> dict[str, Any]:
    turn = np.array([[0.8, -0.5, 20.3], [0.45, 0.9, -10.7]], np.float32)
    shear = np.array([[1.1, 0.2, -7.5], [-0.1, 0.7, 9.25]], np.float32)
    view = np.array([[0.9, 0.1, 3.5], [-0.05, 1.1, -2.25], [0.0007, -0.0004, 1]], np.float32)
    solid = np.array([[0.913, 0.107, 0, 0.33], [-0.119, 1.03, 0.21, -0.41], [0, 0.13, 0.83, 0.57]], np.float32)
    volume = np.random.default_rng(7).integers(0, 256, (9, 11, 13, 2)).astype(np.uint8)
    colours = np.random.default_rng(8).integers(0, 256, (31, 37, 4)).astype(np.uint8)
    return {
        "turn": ndd.tensor(turn),
        "turns": ndd.batch([turn, shear, turn * 0.7]),
        "view": ndd.tensor(view),
        "views": ndd.batch([view, np.eye(3, dtype=np.float32), view * 2]),
        "solid": ndd.tensor(solid),
        "solids_u8": ndd.tensor(volume, layout="DHWC"),
        "solids_f32": ndd.tensor(volume.astype(np.float32) / 255, layout="DHWC"),
        "slab": ndd.tensor(np.random.default_rng(9).integers(0, 256, (20, 31, 17, 1)).astype(np.uint8), layout="DHWC"),
        "rgba": ndd.tensor(colours, layout="HWC"),
        "two": ndd.tensor(colours[:, :, :2].copy(), layout="HWC"),
        "five": ndd.tensor(np.dstack([colours, colours[:, :, 0]]), layout="HWC"),
        "flat": ndd.tensor(colours[:, :, 0].copy(), layout="HW"),
        "wide_i32": ndd.tensor((colours.astype(np.int32) - 100) * 1000, layout="HWC"),
        "thin": ndd.tensor(colours[:, :1, :3].copy(), layout="HWC"),
        "dot": ndd.tensor(colours[:1, :1, :3].copy(), layout="HWC"),
        "none": ndd.tensor(np.zeros((0, 5, 3), np.uint8), layout="HWC"),
        "frame_views": ndd.batch([np.stack([view, view.T, view]), np.stack([view.T, view])], layout="F**"),
        "frame_turns": ndd.batch([np.stack([turn, shear, turn]), np.stack([shear, turn])], layout="F**"),
        "frame_angles": ndd.batch([np.float32([10, 45, 90]), np.float32([-30, 5])]),
    }


# DALI adds up the steps along a row in single precision, up to 256 of them; here every place is computed by itself.
CASES: list[dict[str, Any]] = [
    {
        "operator": "rotate",
        "within": 1,
        "share": 0.999,
        "calls": [
            *(f"ndd.rotate(photos, angle={angle}, fill_value=5)" for angle in (0, 45, 90, 180, 270, -90, 360, 1e-3)),
            "ndd.rotate(photos, angle=30.0, size=[50.9, 71.2], keep_size=True)",
            "ndd.rotate(photos, angle=30.0, size=ndd.batch([[50, 71], [3, 4], [90, 1]]))",
            "ndd.rotate(photos, angle=33.0, interp_type=T.INTERP_NN)",
            "ndd.rotate(photos, angle=90.0, interp_type=T.INTERP_NN)",
            "ndd.rotate(grey, angle=33.0, fill_value=300)",
            "ndd.rotate(rgba, angle=33.0, fill_value=-3)",
            "ndd.rotate(two, angle=33.0)",
            "ndd.rotate(five, angle=33.0)",
            "ndd.rotate(thin, angle=33.0)",
            "ndd.rotate(dot, angle=33.0, size=[5, 5], fill_value=9)",
            "ndd.rotate(none, angle=33.0, fill_value=9)",
            "ndd.rotate(video, angle=20.0)",
            "ndd.rotate(video, angle=ndd.per_frame(frame_angles), fill_value=1)",
            "ndd.rotate(wide_i16, angle=20.0)",
            "ndd.rotate(solids_u8, angle=30.0, axis=[0, 0, 1])",
            "ndd.rotate(solids_u8, angle=30.0, axis=[1, -2, 3], fill_value=7)",
            "ndd.rotate(solids_u8, angle=30.0, axis=[1, 2, 3], keep_size=True, interp_type=T.INTERP_NN)",
            "ndd.rotate(solids_u8, angle=30.0, axis=[0, 1, 0], size=[5, 6, 7])",
            "ndd.rotate(slab, angle=30.0, axis=[1, 2, 3])",
            "ndd.rotate(slab, angle=-30.0, axis=[1, 2, 3], fill_value=3)",
            "ndd.rotate(slab, angle=77.0, axis=[1, -2, 0.5], fill_value=3, interp_type=T.INTERP_NN)",
            "ndd.rotate(slab, angle=130.0, axis=[-0.3, 1, 0.1], fill_value=3)",
            "ndd.rotate(solids_u8, angle=30.0)",
            "ndd.rotate(photos)",
            "ndd.rotate(planar, angle=30.0)",
            "ndd.rotate(wide_u16, angle=30.0)",
            "ndd.rotate(photos, angle=30.0, dtype=T.INT16)",
            "ndd.rotate(photos, angle=30.0, interp_type=T.INTERP_CUBIC)",
            "ndd.rotate(photos, angle=30.0, size=[-2, 5])",
        ],
    },
    {
        "operator": "rotate (int32)",
        "within": 20,  # of a range of 255000: places differ as they do for floats
        "calls": ["ndd.rotate(wide_i32, angle=20.0)", "ndd.rotate(wide_i32, angle=-100.0, fill_value=7)"],
    },
    {
        "operator": "rotate (float)",
        "within": 1e-3,
        "share": 0.999,
        "calls": [
            "ndd.rotate(floats, angle=30.0)",
            "ndd.rotate(floats, angle=-60.0, fill_value=0.5)",
            "ndd.rotate(photos, angle=30.0, dtype=T.FLOAT, fill_value=2.5)",
            "ndd.rotate(solids_f32, angle=30.0, axis=[1, 2, 3])",
        ],
    },
    {
        "operator": "warp_affine",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.warp_affine(photos, matrix=turn, fill_value=40.5)",
            "ndd.warp_affine(photos, matrix=turns)",
            "ndd.warp_affine(photos, turns, fill_value=3)",
            "ndd.warp_affine(photos, turn)",
            "ndd.warp_affine(photos, matrix=turns, inverse_map=False)",
            "ndd.warp_affine(photos, matrix=turn, interp_type=T.INTERP_NN, fill_value=3)",
            "ndd.warp_affine(photos, matrix=turn, size=[100, 41])",
            "ndd.warp_affine(photos, matrix=turn, size=ndd.batch([[10, 41], [300, 2], [1, 1]]))",
            "ndd.warp_affine(video, matrix=ndd.per_frame(frame_turns))",
            "ndd.warp_affine(video, frame_turns, fill_value=4)",
            "ndd.warp_affine(rgba, matrix=turn)",
            "ndd.warp_affine(five, matrix=turn, fill_value=4)",
            "ndd.warp_affine(wide_i16, matrix=turn, fill_value=-2.5)",
            "ndd.warp_affine(solids_u8, matrix=solid, fill_value=6)",
            "ndd.warp_affine(solids_u8, matrix=solid, inverse_map=False, size=[4, 5, 6])",
            "ndd.warp_affine(solids_u8, matrix=solid, interp_type=T.INTERP_NN)",
            "ndd.warp_affine(photos)",
            "ndd.warp_affine(photos, matrix=[1, 0, 0, 0, 1])",
            "ndd.warp_affine(photos, matrix=ndd.tensor(np.zeros((2, 3), np.float32)), inverse_map=False)",
            "ndd.warp_affine(wide_u16, matrix=turn)",
        ],
    },
    {
        "operator": "warp_affine (int32)",
        "within": 20,
        "calls": ["ndd.warp_affine(wide_i32, matrix=turn)", "ndd.warp_affine(wide_i32, matrix=turn, fill_value=7)"],
    },
    {
        "operator": "warp_affine (float)",
        "within": 1e-3,
        "calls": [
            "ndd.warp_affine(floats, matrix=turn)",
            "ndd.warp_affine(floats, matrix=turns, fill_value=-1)",
            "ndd.warp_affine(photos, matrix=turn, dtype=T.FLOAT)",
            "ndd.warp_affine(solids_f32, matrix=solid)",
        ],
    },
    {
        "operator": "experimental.warp_perspective",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.experimental.warp_perspective(photos, matrix=view)",
            "ndd.experimental.warp_perspective(photos, views, fill_value=[10, 300, 2.5])",
            *(f"ndd.experimental.warp_perspective(photos, matrix=views, border_mode='{mode}')" for mode in BORDERS),
            *(
                f"ndd.experimental.warp_perspective(grey, view, interp_type=T.INTERP_NN, border_mode='{mode}')"
                for mode in BORDERS
            ),
            "ndd.experimental.warp_perspective(photos, view, interp_type=T.INTERP_CUBIC, border_mode='reflect')",
            "ndd.experimental.warp_perspective(photos, matrix=view, pixel_origin='center')",
            "ndd.experimental.warp_perspective(photos, matrix=view, pixel_origin='center', interp_type=T.INTERP_NN)",
            "ndd.experimental.warp_perspective(photos, matrix=views, inverse_map=False)",
            "ndd.experimental.warp_perspective(photos, matrix=view, size=[40.6, 93.2])",
            "ndd.experimental.warp_perspective(photos, matrix=view, size=ndd.batch([[4, 5], [30, 40], [1, 0]]))",
            "ndd.experimental.warp_perspective(photos, matrix=[1, 0, 4, 0, 1, 2, 0, 0, 1], fill_value=7)",
            "ndd.experimental.warp_perspective(planar, matrix=view, fill_value=3)",
            "ndd.experimental.warp_perspective(flat, matrix=view)",
            "ndd.experimental.warp_perspective(rgba, matrix=view)",
            "ndd.experimental.warp_perspective(thin, matrix=view, border_mode='reflect_101')",
            "ndd.experimental.warp_perspective(video, matrix=ndd.per_frame(frame_views))",
            "ndd.experimental.warp_perspective(video, frame_views)",
            "ndd.experimental.warp_perspective(wide_u16, matrix=view)",
            "ndd.experimental.warp_perspective(photos)",
            "ndd.experimental.warp_perspective(photos, matrix=turn)",
            "ndd.experimental.warp_perspective(photos, view, matrix=view)",
            "ndd.experimental.warp_perspective(photos, matrix=view, border_mode='none')",
            "ndd.experimental.warp_perspective(photos, matrix=view, pixel_origin='left')",
            "ndd.experimental.warp_perspective(photos, matrix=view, fill_value=[1, 2])",
            "ndd.experimental.warp_perspective(photos, matrix=view, interp_type=T.INTERP_GAUSSIAN)",
            "ndd.experimental.warp_perspective(wide_i32, matrix=view)",
        ],
    },
    {
        "operator": "experimental.warp_perspective (float)",
        "within": 1e-3,  # OpenCV, which is behind it there, computes places in single precision
        "calls": [
            "ndd.experimental.warp_perspective(floats, matrix=view)",
            "ndd.experimental.warp_perspective(floats, matrix=views, border_mode='wrap')",
        ],
    },
    {
        "operator": "experimental.warp_perspective (two channels, int16, many fill values)",
        "deliberate": "places are not rounded to 1/32 of a pixel; planar images take a fill value for every channel",
        "calls": [
            "ndd.experimental.warp_perspective(two, matrix=view)",
            "ndd.experimental.warp_perspective(wide_i16, matrix=view, fill_value=-9)",
            "ndd.experimental.warp_perspective(planar, matrix=view, fill_value=[1, 2, 3])",
            "ndd.experimental.warp_perspective(five, matrix=view)",
        ],
    },
    {
        "operator": "water",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.water(grey, fill_value=200)",
            "ndd.water(five)",
            "ndd.water(dot)",
            "ndd.water(floats)",
            "ndd.water(photos, interp_type=T.INTERP_CUBIC)",
            "ndd.water(wide_i16)",
            "ndd.water(planar)",
        ],
    },
    {
        "operator": "water (float)",
        "within": 1e-5,
        "calls": ["ndd.water(floats, interp_type=T.INTERP_LINEAR, fill_value=-0.5)"],
    },
    {
        "operator": "water (mask, fill_value)",
        "deliberate": "a constant mask counts; fill values saturate instead of wrapping around",
        "calls": ["ndd.water(photos, mask=0)", "ndd.water(photos, fill_value=300)"],
    },
    {
        "operator": "sphere",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.sphere(grey, fill_value=200)",
            "ndd.sphere(two)",
            "ndd.sphere(thin)",
            "ndd.sphere(floats, interp_type=T.INTERP_LINEAR)",
            "ndd.sphere(video)",
            "ndd.sphere(wide_u16)",
        ],
    },
]
