"""transforms.*, and the points they are for. Sines, cosines and tangents may differ in the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np

CALLS = {
    "translation": [
        "offset=[1, 2]", "offset=5", "offset=[1, 2, 3]", "offset=pairs", "offset=pairs, reverse_order=True", "",
        "offset=[]", "offset=list(range(7))",
    ],
    "scale": [
        "scale=2", "scale=[2, 3]", "scale=2, ndim=3", "scale=[2, 3], center=[1, 1]", "scale=pairs, center=pairs",
        "scale=angles, ndim=2", "scale=[2, 3], ndim=3", "scale=2, ndim=9", "scale=[2, 3], center=[1, 2, 3]",
        "scale=[2, 3], center=[1, 1], reverse_order=True", "scale=2, ndim=0",
    ],
    "rotation": [
        "angle=30", "angle=90, center=[1, 2]", "angle=angles", "angle=angles, center=pairs", "angle=30, axis=[1, 2, 3]",
        "angle=angles, axis=[0, 0, 1], center=[1, 2, 3]", "angle=45, center=[1, 2, 3]", "angle=30, axis=[1, 2]",
        "angle=30, reverse_order=True", "", "angle=ndd.per_frame(ndd.tensor([10.0, 20.0]))",
    ],
    "shear": [
        "shear=[1, 2]", "shear=[1, 2, 3, 4, 5, 6]", "angles=[30, 45]", "angles=pairs, center=pairs", "shear=pairs",
        "shear=[1, 2], center=[1, 1]", "shear=[1, 2], reverse_order=True", "angles=[100, 0]", "shear=[1, 2, 3]", "",
        "shear=[1, 2], angles=[1, 2]", "shear=coefficients",
    ],
    "crop": [
        "", "from_start=[0, 0], from_end=[2, 4], to_start=[1, 1], to_end=[5, 5]", "from_start=[0, 0], to_end=10",
        "from_start=[5, 5], from_end=[1, 2], to_end=[3, 4]", "from_start=pairs, from_end=[7, 7], reverse_order=True",
        "from_start=[5, 5], from_end=[1, 2], to_end=[3, 4], absolute=True", "from_start=[0, 0, 0], to_end=[1, 2]",
    ],
}  # fmt: skip


def inputs(ndd: Any) -> dict[str, Any]:
    affine = np.float32([[1, 2, 3], [4, 5, 6]])
    return {
        "affine": ndd.tensor(affine),
        "affine_3d": ndd.tensor(np.arange(12, dtype=np.float32).reshape(3, 4)),
        "affines": ndd.batch([affine, affine[::-1].copy(), affine / 2]),
        "moving": ndd.tensor(np.stack([affine, affine / 2]), layout="F**"),
        "angles": ndd.batch([np.float32(angle) for angle in (10, 20, -33)]),
        "pairs": ndd.batch([np.float32(pair) for pair in ([1, 2], [3, 4], [5, 6.5])]),
        "coefficients": ndd.tensor(np.float32([[1, 2], [3, 4], [5, 6]])),
        "points": ndd.batch(
            [np.float32([[1, 2], [3, 4], [5, 6]]), np.float32([[0.5, 0.25]]), np.float32([[7, 8]] * 2)]
        ),
        "points_3d": ndd.tensor(np.arange(12, dtype=np.float32).reshape(4, 3)),
        "labelled": ndd.tensor(np.arange(12, dtype=np.float32).reshape(4, 3), layout="NX"),
        "grid": ndd.tensor(np.array([[200, 3], [1, 2]], np.uint8)),
        "scales": ndd.batch([np.float32(scale) for scale in (2, 3, 0.5)]),
        "linear": ndd.batch([np.float32([[1, 2], [3, 4]]), np.float32([[0, 1], [1, 0]]), np.float32([[2, 0], [0, 2]])]),
    }


CASES: list[dict[str, Any]] = [
    *(
        {
            "operator": f"transforms.{name}",
            "within": 1e-5,
            "calls": [
                *(f"ndd.transforms.{name}({given})" for given in calls),
                *(f"ndd.transforms.{name}({input}, {calls[0] or calls[1]})" for input in (
                    "affine", "affine_3d", "affines", "moving", "f64", "f32", "ndd.tensor(affine, layout='HW')",
                )),
                f"ndd.transforms.{name}({calls[1]}, batch_size=3)",
            ],
        }
        for name, calls in CALLS.items()
    ),
    {
        "operator": "transforms.combine",
        "within": 1e-6,
        "calls": [
            "ndd.transforms.combine(affine, affine)",
            "ndd.transforms.combine(affines, affine, affines)",
            "ndd.transforms.combine(affine, affines, reverse_order=True)",
            "ndd.transforms.combine(affine_3d, affine_3d)",
            "ndd.transforms.combine(affine, moving)",
            "ndd.transforms.combine(moving, affine)",
            "ndd.transforms.combine(affine)",
            "ndd.transforms.combine(affine, affine_3d)",
            "ndd.transforms.combine(affine, f64)",
            "ndd.transforms.combine(affines, pairs)",
        ],
    },
    {
        "operator": "coord_transform",
        "within": 1e-6,
        "calls": [
            "ndd.coord_transform(points)",
            "ndd.coord_transform(points, MT=ndd.per_frame(ndd.tensor([[[1.0, 2, 3], [4, 5, 6]]] * 3)))",
            "ndd.coord_transform(points, M=ndd.per_frame(ndd.tensor([1.0, 2.0])), T=5)",
            "ndd.coord_transform(points, M=None, T=[5, 6], MT=None)",
            "ndd.coord_transform(points, M=2)",
            "ndd.coord_transform(points, M=[1, 2, 3, 4], T=[5, 6])",
            "ndd.coord_transform(points, M=[1, 2, 3, 4, 5, 6])",
            "ndd.coord_transform(points, M=[1, 2])",
            "ndd.coord_transform(points, M=scales, T=pairs)",
            "ndd.coord_transform(points, M=linear)",
            "ndd.coord_transform(points, MT=affines)",
            "ndd.coord_transform(points, MT=[1, 2, 3, 4, 5, 6])",
            "ndd.coord_transform(points, MT=ndd.transforms.rotation(angle=angles, center=pairs))",
            "ndd.coord_transform(points_3d, M=[0, 1, 2, 3, 4, 5, 6, 7, 8], T=1.5)",
            "ndd.coord_transform(points_3d, MT=affine_3d)",
            "ndd.coord_transform(labelled, M=[1, 2, 3, 4, 5, 6])",
            "ndd.coord_transform(moving, M=ndd.per_frame(ndd.tensor([1.0, 2.0])))",
            "ndd.coord_transform(volume, T=[1, 2, 3])",
            "ndd.coord_transform(grid, M=1.5)",
            "ndd.coord_transform(grid, M=1.5, dtype=T.UINT8)",
            "ndd.coord_transform(grid, M=[-1, 1.75, 2, 2], dtype=T.UINT8)",
            "ndd.coord_transform(grid, M=1.5, dtype=T.INT16)",
            "ndd.coord_transform(points, M=[1, 2, 3])",
            "ndd.coord_transform(points, T=[1, 2, 3])",
            "ndd.coord_transform(points, M=2, MT=[1, 2, 3, 4, 5, 6])",
            "ndd.coord_transform(pairs, M=2)",
            "ndd.coord_transform(matrix, M=2, dtype=T.INT32)",
            "ndd.coord_transform(f64, M=2)",
        ],
    },
    {
        "operator": "coord_flip",
        "calls": [
            "ndd.coord_flip(points)",
            "ndd.coord_flip(points, flip_x=0, flip_y=1, center_y=2.5)",
            "ndd.coord_flip(points, flip_x=ndd.batch([0, 1, 1]), center_x=scales)",
            "ndd.coord_flip(points, layout='yx')",
            "ndd.coord_flip(points_3d, flip_z=1, center_z=0.25)",
            "ndd.coord_flip(points_3d, layout='zyx', flip_z=1)",
            "ndd.coord_flip(points, layout='x')",
            "ndd.coord_flip(points, layout='ab')",
            "ndd.coord_flip(pairs)",
            "ndd.coord_flip(matrix)",
            "ndd.coord_flip(affine_3d)",
        ],
    },
]  # fmt: skip
