"""Images from encoded bytes."""

from __future__ import annotations

from typing import Any

JPEGS = ["plain_420", "plain_444", "plain_422", "progressive", "grey_jpeg", "odd_size", "one_pixel", "cmyk"]
OTHERS = ["png_rgb", "png_grey", "png_rgba", "png_16", "bmp", "tiff", "webp", "pnm"]

CASES: list[dict[str, Any]] = [
    {
        "operator": "decoders.image",
        "calls": [
            *(f"ndd.decoders.image({name})" for name in [*JPEGS, *OTHERS]),
            "ndd.decoders.image(jpegs)",
            *(f"ndd.decoders.image(exif_{turn})" for turn in range(1, 9)),
            "ndd.decoders.image(exif_6, adjust_orientation=False)",
            *(f"ndd.decoders.image(jpegs, output_type=T.{kind})" for kind in ("BGR", "GRAY", "YCbCr", "ANY_DATA")),
            *(f"ndd.decoders.image(png_rgba, output_type=T.{kind})" for kind in ("BGR", "GRAY", "YCbCr", "ANY_DATA")),
            *(f"ndd.decoders.image(plain_420, dtype=T.{kind})" for kind in ("UINT16", "INT16", "FLOAT")),
            "ndd.decoders.image(png_16, dtype=T.UINT16)",
            "ndd.decoders.image(plain_420, jpeg_fancy_upsampling=True)",
            "ndd.decoders.image(plain_420, use_fast_idct=True)",
            "ndd.decoders.image(garbage)",
        ],
    },
    {
        "operator": "decoders.image (JPEG 2000)",
        "calls": ["ndd.decoders.image(jpeg2000)"],
    },
    {
        "operator": "decoders.image_crop",
        "calls": [
            "ndd.decoders.image_crop(progressive, crop=[33, 21], crop_pos_x=1.0, crop_pos_y=0.0)",
            "ndd.decoders.image_crop(exif_6, crop=[20, 10], crop_pos_x=0.1, crop_pos_y=0.2)",
            "ndd.decoders.image_crop(png_rgb, crop=[20, 30])",
            "ndd.decoders.image_crop(plain_420, crop=[400, 6])",
        ],
    },
    {
        "operator": "decoders.image_random_crop",
        "calls": [
            "ndd.decoders.image_random_crop(exif_6)",
            "ndd.decoders.image_random_crop(png_rgb)",
        ],
    },
    {
        "operator": "decoders.image_slice",
        "calls": [
            "ndd.decoders.image_slice(plain_444, ndd.tensor([0.0, 0.25]), ndd.tensor([0.5, 0.25]))",
            "ndd.decoders.image_slice(plain_420, start=[1, 2], end=[500, 8], axes=[0, 1])",
        ],
    },
    {
        "operator": "peek_image_shape",
        "calls": [
            *(f"ndd.peek_image_shape({name})" for name in [*JPEGS, *OTHERS, "exif_6"]),
            "ndd.peek_image_shape(jpegs, dtype=T.INT32)",
            "ndd.peek_image_shape(exif_6, adjust_orientation=False)",
            "ndd.peek_image_shape(png_rgba, image_type=T.ANY_DATA)",
            "ndd.peek_image_shape(garbage)",
        ],
    },
]
