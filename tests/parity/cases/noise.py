"""Noise: the same seed gives the same noise. The seed is set before every call."""

from __future__ import annotations

from typing import Any

KINDS = ["u8", "i8", "u16", "i16", "u32", "i32", "i64", "u64", "f32"]

CASES: list[dict[str, Any]] = [
    {
        "operator": "noise.gaussian",
        "within": 1e-6,
        "calls": [
            "ndd.noise.gaussian(floats, stddev=0.1)",
            "ndd.noise.gaussian(video, stddev=10.0)",
            *(f"ndd.noise.gaussian({kind}, stddev=20.0)" for kind in KINDS),
            "ndd.noise.gaussian(f64)",
            "ndd.noise.gaussian(b)",
        ],
    },
    {
        "operator": "noise.salt_and_pepper",
        "calls": [
            "ndd.noise.salt_and_pepper(photos, prob=0.5, salt_vs_pepper=ndd.batch([0.0, 0.3, 1.0]))",
            "ndd.noise.salt_and_pepper(photos, prob=0.5, pepper_val=ndd.batch([1.0, 2.0, 3.0]))",
            "ndd.noise.salt_and_pepper(planar, prob=0.4)",
            "ndd.noise.salt_and_pepper(planar, prob=0.4, per_channel=True)",
            "ndd.noise.salt_and_pepper(video, prob=0.4)",
            "ndd.noise.salt_and_pepper(floats, prob=0.4)",
            *(f"ndd.noise.salt_and_pepper({kind}, prob=0.5, per_channel=True)" for kind in KINDS),
            "ndd.noise.salt_and_pepper(photos, prob=1.5)",
            "ndd.noise.salt_and_pepper(photos, salt_vs_pepper=-0.5)",
            "ndd.noise.salt_and_pepper(f64)",
        ],
    },
    {
        "operator": "noise.shot",
        "calls": [
            "ndd.noise.shot(photos, factor=0.3)",
            "ndd.noise.shot(photos, factor=ndd.batch([2.0, 7.7, 100.0]))",
            "ndd.noise.shot(floats, factor=0.1)",
            "ndd.noise.shot(wide_u16, factor=20.0)",
            "ndd.noise.shot(photos, factor=0.0)",
            *(f"ndd.noise.shot({kind}, factor=3.0)" for kind in KINDS),
            "ndd.noise.shot(f64)",
        ],
    },
]
