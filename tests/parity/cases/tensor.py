"""Shapes, types and values of any array."""

from __future__ import annotations

from typing import Any

INTEGERS = [f"{sign}INT{bits}" for bits in (8, 16, 32, 64) for sign in ("U", "")]
KINDS = [*INTEGERS, "FLOAT16", "FLOAT", "FLOAT64", "BOOL"]
INDICES = ["0", "-1, 0", "..., 0", ":, ::-1, 0", ":, ::2", ":, -2:, 0", ":, 5:9, 0", "5"]

CASES: list[dict[str, Any]] = [
    {
        "operator": "cast",
        "calls": [
            *(f"ndd.cast(spread, dtype=T.{kind})" for kind in KINDS),
            *(f"ndd.cast(ints, dtype=T.{kind})" for kind in KINDS),
            "ndd.cast(photos, dtype=ndd.float32)",
            *(f"ndd.cast(T.INTERP_CUBIC, dtype=T.{kind})" for kind in ("INT32", "UINT8", "BOOL", "FLOAT", "FLOAT16")),
            "ndd.cast(f32, dtype=T.INTERP_TYPE)",
            "ndd.cast(f32, dtype=6)",
            "ndd.cast(f32, dtype=ndd.tensor(6))",
        ],
    },
    {
        "operator": "copy",
        "calls": ["ndd.copy(row)", "ndd.copy(video)", "ndd.copy(b, batch_size=2)"],
    },
    {
        "operator": "normalize",
        "within": 1e-5,
        "calls": [
            "ndd.normalize(f32, mean=1, ddof=8, epsilon=0.25)",
            "ndd.normalize(f32, ddof=9, epsilon=0.25, shift=3)",
            "ndd.normalize(ndd.batch([f32, f32]), ddof=16, epsilon=0.25, batch=True)",
            "ndd.normalize(photos, axes=None, mean=None, ddof=1)",
            "ndd.normalize(floats, mean=0.25, stddev=2.0, scale=3.0, shift=1.0)",
            "ndd.normalize(equal, batch=True, axes=[0, 1])",
            "ndd.normalize(photos, scale=50.0, shift=128.0, dtype=T.UINT8)",
            "ndd.normalize(row)",
        ],
    },
    {
        "operator": "per_frame",
        "calls": [
            "ndd.per_frame(matrix)",
            "ndd.per_frame(i32)",
            "ndd.per_frame(cube, replace=True)",
            "ndd.per_frame(cube)",
            "ndd.per_frame(video)",
            "ndd.per_frame(ndd.tensor(1.0))",
        ],
    },
    {
        "operator": "reshape",
        "calls": [
            "ndd.reshape(matrix, shape=[3, 2])",
            "ndd.reshape(matrix, shape=[-1])",
            "ndd.reshape(matrix, rel_shape=[0.5, 2.0])",
            "ndd.reshape(matrix, layout='HW')",
            "ndd.reshape(photos, shape=[-1, 3], layout='XC')",
            "ndd.reshape(photos, src_dims=[1, 0, 2])",
            "ndd.reshape(matrix, ndd.tensor([6, 1]))",
            "ndd.reshape(matrix, shape=[4, 2])",
        ],
    },
    {
        "operator": "transpose",
        "calls": [
            "ndd.transpose(photos, perm=[1, 0, 2])",
            "ndd.transpose(photos, perm=[2, 0, 1], output_layout='CHW')",
            "ndd.transpose(photos, perm=[2, 0, 1], transpose_layout=False)",
            "ndd.transpose(matrix, perm=[1, 0])",
            "ndd.transpose(matrix, perm=[1, 1])",
        ],
    },
    {
        "operator": "pad",
        "calls": [
            "ndd.pad(photos, axes=None, shape=None, align=None)",
            "ndd.pad(photos, axes=ndd.tensor([5]))",
            "ndd.pad(photos, axes=ndd.tensor([0, 0]))",
            "ndd.pad(photos, fill_value=7)",
            "ndd.pad(photos, axes=[0], shape=[100])",
            "ndd.pad(photos, axis_names='HW', align=[16, 32])",
            "ndd.pad(matrix, axes=[0, 1], shape=[5, 4], fill_value=-1)",
            "ndd.pad(matrix, shape=[1, 1])",
        ],
    },
    {
        "operator": "slice",
        "calls": [
            "ndd.slice(photos, ndd.tensor([0.1, 0.2]), ndd.tensor([0.5, 0.5]))",
            "ndd.slice(row, ndd.tensor([1, 0]), ndd.tensor([2, 1]), normalized_anchor=False, normalized_shape=False)",
            "ndd.slice(photos, start=[-4], end=[500], axes=[0], out_of_bounds_policy='trim_to_shape')",
            "ndd.slice(photos, start=[2], end=[500], axes=[0])",
            "ndd.slice(matrix, start=[1], end=[3], axes=[1])",
        ],
    },
    {
        "operator": "subscript",
        "calls": [
            *(f"cube[{index}]" for index in INDICES),
            "photos.slice[2:9, :, 0]",
            "photos.slice[ndd.batch([1, 2, 3])]",
        ],
    },
]
