"""reductions.*: sums, averages, deviations and extremes over axes."""

from __future__ import annotations

from typing import Any

import numpy as np

AXES = [
    "",
    "axes=0",
    "axes=[0, 1]",
    "axes=[-1]",
    "axes=[0, 2]",
    "axes=[]",
    "axis_names='W'",
    "axes=[1], keep_dims=True",
]
BAD_AXES = ["axes=[0, 0]", "axes=[3]", "axes=[0], axis_names='H'", "axis_names='D'"]
ELEMENTS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "b", "half"]
TYPES = ["UINT8", "INT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT", "FLOAT64"]


def inputs(ndd: Any) -> dict[str, Any]:
    return {
        "half": ndd.tensor(np.float16([1, 2])),
        "small": ndd.tensor(np.uint8([1, 2, 3, 4])),
        "nothing": ndd.tensor(np.zeros((0, 3), np.float32)),
        "holes": ndd.tensor(np.float32([[1, np.nan, 3], [np.nan, np.nan, -np.inf]])),
    }


CASES: list[dict[str, Any]] = [
    *(
        {
            "operator": f"reductions.{name}",
            "within": 0 if name in ("sum", "min", "max") else 1e-5,
            "calls": [
                *(f"ndd.reductions.{name}(photos, {over})" for over in AXES + BAD_AXES),
                *(f"ndd.reductions.{name}({element})" for element in ELEMENTS),
                f"ndd.reductions.{name}(video, axis_names='HW')",
                f"ndd.reductions.{name}(volume, axes=[1, 3], keep_dims=True)",
                f"ndd.reductions.{name}(nothing, axes=[0])",
                f"ndd.reductions.{name}(nothing)",
                f"ndd.reductions.{name}(holes, axes=[1])",
                f"ndd.reductions.{name}(planar, axis_names='HW')",
            ],
        }
        for name in ("sum", "mean", "mean_square", "rms", "min", "max")
    ),
    # Floats are added in another order, and in double precision.
    *(
        {
            "operator": f"reductions.{name}",
            "within": 1e-5,
            "calls": [
                f"ndd.reductions.{name}(floats, axis_names='HW')",
                f"ndd.reductions.{name}(floats)",
                *(f"ndd.reductions.{name}(small, dtype=T.{wanted})" for wanted in TYPES),
                *(f"ndd.reductions.{name}(f32, dtype=T.{wanted})" for wanted in TYPES),
            ],
        }
        for name in ("sum", "mean", "mean_square", "rms")
    ),
    *(
        {
            "operator": f"reductions.{name}",
            "within": 1e-5,
            "calls": [
                *(
                    f"ndd.reductions.{name}(photos, ndd.reductions.mean(photos, {over}), {over})"
                    for over in AXES
                    if over != "axes=[]"
                ),
                *(f"ndd.reductions.{name}(photos, 2.0, {over})" for over in BAD_AXES),
                *(f"ndd.reductions.{name}({element}, 3.5)" for element in ELEMENTS),
                f"ndd.reductions.{name}(photos, ndd.batch([1.0, 2.0, 3.0]), ddof=1)",
                f"ndd.reductions.{name}(small, 2.5, ddof=4)",
                f"ndd.reductions.{name}(small, 2.5, ddof=-2)",
                f"ndd.reductions.{name}(small, f64)",
                f"ndd.reductions.{name}(photos, ndd.batch([1.0, 2.0]))",
            ],
        }
        for name in ("variance", "std_dev")
    ),
    {
        "operator": "reductions (averages in integers)",
        "deliberate": "averages made in a small integer type do not wrap",
        "calls": [
            "ndd.reductions.mean(u8, dtype=T.UINT8)",
            "ndd.reductions.rms(u8, dtype=T.UINT8)",
            "ndd.reductions.mean_square(ints)",
        ],
    },
    {
        "operator": "reductions (a mean that does not fit)",
        "deliberate": "a mean with too few or too many elements is refused, and one element is compared with its mean",
        "calls": [
            "ndd.reductions.variance(small, ndd.tensor([1.0, 2.0]))",
            "ndd.reductions.variance(small, 1.0, axes=[])",
        ],
    },
]
