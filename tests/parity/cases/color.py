"""Colours: linear maps, colour spaces, tables, histograms and Bayer filters."""

from __future__ import annotations

from typing import Any

import numpy as np

SPACES = ["RGB", "BGR", "YCbCr"]
TYPES = ["UINT8", "INT16", "INT32", "FLOAT"]
POSITIONS = ["[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"]
NEARLY = {"within": 1, "share": 0.999}


def inputs(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    raw = [rng.integers(0, 256, size).astype(np.uint8) for size in ((30, 42), (64, 18), (4, 4))]
    return {
        "raw": ndd.batch(raw, layout="HW"),
        "raw_u16": ndd.batch([image.astype(np.uint16) * 257 for image in raw], layout="HW"),
        "raw_video": ndd.batch([np.stack([raw[0]] * 3), np.stack([raw[1]] * 2)], layout="FHW"),
        "odd_raw": ndd.tensor(raw[0][:5, :7].copy(), layout="HW"),
        "flat": ndd.tensor(np.full((5, 7), 9, np.uint8), layout="HW"),
        "wide_i32": ndd.batch([image[..., None].astype(np.int32) * 10**6 - 10**8 for image in raw], layout="HWC"),
        "half_floats": ndd.tensor(rng.random((7, 9, 3)).astype(np.float16), layout="HWC"),
    }


CASES: list[dict[str, Any]] = [
    {
        "operator": "brightness",
        "calls": [
            "ndd.brightness(photos, brightness=-1.0, brightness_shift=1.0)",
            "ndd.brightness(grey, brightness_shift=-0.1)",
            "ndd.brightness(wide_i16, brightness=1.2, brightness_shift=0.1)",
            "ndd.brightness(video, brightness=ndd.per_frame(ndd.batch([[1.0, 0.5, 2.0], [0.1, 1.1]])))",
            "ndd.brightness(volume, brightness=1.7)",
            "ndd.brightness(planar)",
            "ndd.brightness(wide_u16)",
            "ndd.brightness(photos, dtype=T.FLOAT64)",
            "ndd.brightness(photos, brightness=ndd.batch([1.0, 2.0]))",
        ],
    },
    {
        "operator": "contrast",
        "calls": [
            "ndd.contrast(photos, contrast=2.0, contrast_center=0.25)",
            "ndd.contrast(photos, contrast=-1.0)",
            "ndd.contrast(wide_i16, contrast=1.5)",
            "ndd.contrast(video, contrast=0.6)",
            "ndd.contrast(wide_u16)",
        ],
    },
    {
        "operator": "brightness_contrast",
        "calls": [
            *(f"ndd.brightness_contrast(photos, brightness=1.2, contrast=0.8, dtype=T.{kind})" for kind in TYPES),
            *(f"ndd.brightness_contrast(wide_i16, contrast=0.8, dtype=T.{kind})" for kind in TYPES),
            "ndd.brightness_contrast(half_floats)",
        ],
    },
    {
        "operator": "brightness_contrast (float)",
        "within": 1e-5,
        "calls": [
            "ndd.brightness(floats, brightness=1.3, brightness_shift=0.1)",
            "ndd.contrast(floats, contrast=1.3)",
            *(f"ndd.brightness_contrast(floats, brightness=99.0, contrast=0.8, dtype=T.{kind})" for kind in TYPES),
            *(f"ndd.brightness_contrast(wide_i32, brightness=1.2, contrast=0.8, dtype=T.{kind})" for kind in TYPES),
            "ndd.brightness_contrast(floats, brightness=1.2, contrast=0.8, brightness_shift=0.3, contrast_center=0.2)",
        ],
    },
    {
        "operator": "hsv",
        **NEARLY,
        "calls": [
            "ndd.hsv(floats, value=200.0)",
            "ndd.hsv(wide_i16, saturation=0.5, dtype=T.INT16)",
            "ndd.hsv(video, hue=ndd.per_frame(ndd.tensor([0.0])))",
            "ndd.hsv(volume, saturation=0.0)",
            "ndd.hsv(planar)",
            "ndd.hsv(wide_u16)",
            "ndd.hsv(photos, dtype=T.INT8)",
        ],
    },
    {
        "operator": "hsv (float)",
        "within": 1e-5,
        "calls": [
            "ndd.hsv(photos, hue=120.0, dtype=T.FLOAT)",
            "ndd.hsv(floats, hue=-33.0, saturation=1.4, value=0.8, dtype=T.FLOAT)",
            "ndd.hsv(half_floats, hue=45.0, dtype=T.FLOAT)",
        ],
    },
    {
        "operator": "hue",
        **NEARLY,
        "calls": [
            "ndd.hue(video, hue=15.0)",
            "ndd.hue(wide_u16)",
        ],
    },
    {
        "operator": "saturation",
        **NEARLY,
        "calls": [
            "ndd.saturation(volume, saturation=0.2)",
            "ndd.saturation(wide_u16)",
        ],
    },
    {
        "operator": "color_twist",
        **NEARLY,
        "calls": [
            "ndd.color_twist(wide_i16, hue=30.0, contrast=1.2)",
            "ndd.color_twist(video, contrast=ndd.per_frame(ndd.batch([[1.0, 0.5, 2.0], [0.1, 1.1]])), hue=20.0)",
            "ndd.color_twist(planar)",
            "ndd.color_twist(wide_u16)",
            "ndd.color_twist(photos, dtype=T.FLOAT64)",
        ],
    },
    {
        "operator": "color_twist (float)",
        "within": 1e-5,
        "calls": [
            "ndd.color_twist(floats, hue=30.0, saturation=1.2, brightness=1.1, contrast=0.9)",
            "ndd.color_twist(photos, contrast=1.5, dtype=T.FLOAT)",
            "ndd.hue(floats, hue=77.0)",
            "ndd.saturation(floats, saturation=0.3)",
        ],
    },
    {
        "operator": "color_twist (float16)",
        "within": 1e-3,  # a unit in the last place of a half
        "calls": [
            "ndd.color_twist(half_floats, hue=30.0, contrast=0.9)",
            "ndd.color_twist(photos, hue=30.0, dtype=T.FLOAT16)",
        ],
    },
    {
        "operator": "color_space_conversion",
        **NEARLY,
        "calls": [
            *(
                f"ndd.color_space_conversion(photos, image_type=T.{a}, output_type=T.{b})"
                for a in SPACES
                for b in [*SPACES, "GRAY"]
            ),
            *(f"ndd.color_space_conversion(grey, image_type=T.GRAY, output_type=T.{b})" for b in SPACES),
            "ndd.color_space_conversion(video, image_type=T.RGB, output_type=T.GRAY)",
            "ndd.color_space_conversion(volume, image_type=T.RGB, output_type=T.YCbCr)",
            "ndd.color_space_conversion(grey, image_type=T.RGB, output_type=T.GRAY)",
            "ndd.color_space_conversion(photos, image_type=T.GRAY, output_type=T.RGB)",
            "ndd.color_space_conversion(photos, image_type=T.RGB, output_type=T.ANY_DATA)",
            "ndd.color_space_conversion(floats, image_type=T.RGB, output_type=T.GRAY)",
        ],
    },
    {
        "operator": "lookup_table",
        "calls": [
            *(
                f"ndd.lookup_table(u8, keys=[1, 3, 200], values=[10.5, -30.5, 1e10], dtype=T.{kind})"
                for kind in [
                    "UINT8",
                    "INT8",
                    "UINT16",
                    "INT16",
                    "UINT32",
                    "INT32",
                    "UINT64",
                    "INT64",
                    "FLOAT16",
                    "FLOAT64",
                ]
            ),
            *(
                f"ndd.lookup_table({name}, keys=[0, 2, 2, 100], values=[1, 2, 3, 4], default_value=-7)"
                for name in ["i8", "u16", "i16", "u32", "i32", "u64", "i64"]
            ),
            "ndd.lookup_table(ints, keys=[65535, 200], values=[1, 2], output_dtype=T.INT32)",
            "ndd.lookup_table(f32, keys=[1], values=[1])",
            "ndd.lookup_table(u8, keys=[1, 2], values=[1])",
            "ndd.lookup_table(u8, keys=[65536], values=[1])",
            "ndd.lookup_table(u8, keys=[-1], values=[1])",
        ],
    },
    {
        "operator": "equalize",
        "calls": [
            "ndd.equalize(grey)",
            "ndd.equalize(planar)",
            "ndd.equalize(video)",
            "ndd.equalize(raw)",
            "ndd.equalize(flat)",
            "ndd.equalize(floats)",
            "ndd.equalize(volume)",
        ],
    },
    {
        "operator": "clahe",
        "calls": [
            "ndd.clahe(grey, tiles_x=8, tiles_y=8, clip_limit=2.0)",
            "ndd.clahe(grey, tiles_x=100, tiles_y=70, clip_limit=1.3)",
            "ndd.clahe(equal, tiles_x=4, tiles_y=4, clip_limit=2.5)",
            "ndd.clahe(planar, tiles_x=4, tiles_y=4, clip_limit=2.5)",
            "ndd.clahe(floats, tiles_x=4, tiles_y=4, clip_limit=2.5)",
            "ndd.clahe(photos, tiles_x=4, tiles_y=4)",
        ],
    },
    {
        "operator": "debayer",
        "calls": [
            *(f"ndd.debayer(raw, blue_position={place})" for place in POSITIONS),
            *(f"ndd.debayer(raw_u16, blue_position={place}, algorithm='bilinear_ocv')" for place in POSITIONS),
            *(f"ndd.debayer(raw, blue_position={place}, algorithm='edgeaware_ocv')" for place in POSITIONS),
            *(f"ndd.debayer(raw, blue_position={place}, algorithm='vng_ocv')" for place in POSITIONS),
            *(f"ndd.debayer(raw_u16, blue_position={place}, algorithm='gray_ocv')" for place in POSITIONS),
            "ndd.debayer(raw, blue_position=ndd.batch([[0, 0], [0, 1], [1, 1]]))",
            "ndd.debayer(raw_video, blue_position=[1, 0])",
            "ndd.debayer(raw_video, blue_position=ndd.per_frame(ndd.batch([[[0, 0], [0, 1], [1, 1]], [[1, 0]] * 2])))",
            "ndd.debayer(raw_u16, blue_position=[0, 0], algorithm='vng_ocv')",
            "ndd.debayer(raw, blue_position=[0, 2])",
            "ndd.debayer(raw, blue_position=[0, 0, 0])",
            "ndd.debayer(odd_raw, blue_position=[0, 0])",
            "ndd.debayer(photos, blue_position=[0, 0])",
            "ndd.debayer(raw)",
        ],
    },
]
