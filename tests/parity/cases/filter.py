"""Filters: what looks at the surroundings of every pixel."""

from __future__ import annotations

from typing import Any

import numpy as np

BORDERS = ["reflect_101", "reflect_1001", "clamp", "wrap", "constant"]

CASES: list[dict[str, Any]] = [
    {
        "operator": "gaussian_blur",
        "within": 1,
        "share": 0.999,
        "calls": [
            *(f"ndd.gaussian_blur(photos, window_size={size})" for size in (1, 3, 5, 11, 31)),
            *(f"ndd.gaussian_blur(photos, sigma={sigma})" for sigma in (0.3, 1.0, 2.5, 12.0)),
            "ndd.gaussian_blur(photos, sigma=0.5, window_size=7)",
            "ndd.gaussian_blur(photos, sigma=[0.5, 3.0])",
            "ndd.gaussian_blur(photos, window_size=[1, 5], sigma=[0.0, 2.0])",
            "ndd.gaussian_blur(photos, sigma=ndd.batch([0.5, 1.0, 2.0]))",
            "ndd.gaussian_blur(photos, sigma=ndd.batch([[0.5, 1.0], [2.0, 1.0], [3.0, 0.4]]))",
            "ndd.gaussian_blur(photos, window_size=ndd.batch([3, 5, 7]), sigma=ndd.tensor(0.8))",
            "ndd.gaussian_blur(grey, sigma=1.5)",
            "ndd.gaussian_blur(planar, sigma=1.5)",
            "ndd.gaussian_blur(video, sigma=1.5)",
            "ndd.gaussian_blur(video, sigma=ndd.per_frame(ndd.batch([[0.5, 1.0, 2.0], [1.0, 3.0]])))",
            "ndd.gaussian_blur(volume, sigma=1.5)",
            "ndd.gaussian_blur(volume, sigma=[0.5, 1.0, 2.0])",
            "ndd.gaussian_blur(wide_u16, sigma=1.2)",
            "ndd.gaussian_blur(wide_i16, sigma=1.2)",
            "ndd.gaussian_blur(photos, dtype=T.UINT8, sigma=1.0)",
            "ndd.gaussian_blur(matrix, sigma=1.0)",
            "ndd.gaussian_blur(tiny, window_size=9)",
            "ndd.gaussian_blur(photos)",
            "ndd.gaussian_blur(photos, window_size=4)",
            "ndd.gaussian_blur(photos, sigma=-1.0)",
            "ndd.gaussian_blur(photos, sigma=[1.0, 1.0, 1.0])",
            "ndd.gaussian_blur(photos, sigma=1.0, dtype=T.INT16)",
            "ndd.gaussian_blur(b, sigma=1.0)",
        ],
    },
    {
        "operator": "gaussian_blur (float)",
        "within": 1e-5,
        "calls": [
            *(f"ndd.gaussian_blur(floats, sigma={sigma})" for sigma in (0.4, 1.0, 5.0)),
            "ndd.gaussian_blur(photos, window_size=5, dtype=T.FLOAT)",
            "ndd.gaussian_blur(doubles, sigma=[1.0, 2.0])",
            "ndd.gaussian_blur(cube_of_floats, sigma=1.0)",
        ],
    },
    {
        "operator": "laplacian",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.laplacian(photos, window_size=3, smoothing_size=[1, 5], scale=[0.5, -0.25])",
            "ndd.laplacian(photos, smoothing_size=ndd.batch([1, 3, 5]), scale=ndd.batch([0.1, 0.2, 0.3]))",
            "ndd.laplacian(grey)",
            "ndd.laplacian(planar)",
            "ndd.laplacian(video)",
            "ndd.laplacian(video, window_size=ndd.per_frame(ndd.batch([[3, 5, 7], [9, 3]])), normalized_kernel=True)",
            "ndd.laplacian(volume, normalized_kernel=True)",
            "ndd.laplacian(wide_i16, normalized_kernel=True)",
            "ndd.laplacian(matrix)",
            "ndd.laplacian(tiny)",
            "ndd.laplacian(photos, window_size=4)",
            "ndd.laplacian(photos, window_size=33)",
            "ndd.laplacian(photos, normalized_kernel=True, scale=2.0)",
            "ndd.laplacian(doubles)",
        ],
    },
    {
        "operator": "laplacian (float)",
        "within": 1e-5,
        "calls": [
            "ndd.laplacian(photos, dtype=T.FLOAT)",
            "ndd.laplacian(floats, window_size=5, normalized_kernel=True)",
            "ndd.laplacian(floats, window_size=3, smoothing_size=1)",
            "ndd.laplacian(cube_of_floats, window_size=[3, 5, 3], normalized_kernel=True)",
        ],
    },
    {
        "operator": "filter",
        "within": 1,
        "share": 0.999,
        "calls": [
            "ndd.filter(photos, blob)",
            *(f"ndd.filter(photos, blob, border='{border}')" for border in BORDERS),
            "ndd.filter(photos, edges, anchor=[0, 2])",
            *(f"ndd.filter(photos, blob, border='{border}')" for border in ("101", "1001", "reflect", "Edge", "const")),
            "ndd.filter(photos, blob, border=None, mode=None)",
            "ndd.filter(photos, edges, anchor=0)",
            "ndd.filter(photos, blob, anchor=ndd.batch([[0, 0], [1, 3], [-1, 2]]))",
            "ndd.filter(photos, blob, mode='valid')",
            "ndd.filter(photos, own_blobs)",
            *(f"ndd.filter(large_photos, large_blob, border='{border}')" for border in BORDERS),
            "ndd.filter(large_photos, large_blob, anchor=[0, 30], mode='valid')",
            "ndd.filter(large_photos, large_blob, anchor=[2, 30])",
            "ndd.filter(photos, blob, dark, border='constant')",
            "ndd.filter(photos, blob, own_greys, border='constant')",
            "ndd.filter(grey, blob)",
            "ndd.filter(planar, blob)",
            "ndd.filter(video, blob)",
            "ndd.filter(video, ndd.per_frame(ndd.batch([many_blobs, many_blobs[:2]])))",
            "ndd.filter(video, blob, anchor=ndd.per_frame(ndd.batch([[[0, 0], [1, 1], [2, 2]], [[0, 1], [1, 0]]])))",
            "ndd.filter(wide_u16, blob)",
            "ndd.filter(wide_i16, edges)",
            "ndd.filter(tiny, blob)",
            "ndd.filter(photos, blob, mode='full')",
            "ndd.filter(photos, blob, anchor=[4, 0])",
            "ndd.filter(photos, doubles)",
            "ndd.filter(cube_of_floats, blob)",
            "ndd.filter(ints, blob)",
        ],
    },
    {
        "operator": "filter (float)",
        "within": 1e-5,
        "calls": [
            "ndd.filter(photos, blob, dtype=T.FLOAT)",
            *(f"ndd.filter(floats, edges, border='{border}')" for border in BORDERS),
            "ndd.filter(floats, wide_blob)",
        ],
    },
    {
        "operator": "jpeg_compression_distortion",
        "calls": [
            *(f"ndd.jpeg_compression_distortion(photos, quality={quality})" for quality in (-3, 0, 1, 7, 75, 100, 130)),
            "ndd.jpeg_compression_distortion(photos, quality=ndd.batch([3, 40, 95]))",
            "ndd.jpeg_compression_distortion(video, quality=20)",
            "ndd.jpeg_compression_distortion(pixel)",
            "ndd.jpeg_compression_distortion(grey)",
            "ndd.jpeg_compression_distortion(planar)",
            "ndd.jpeg_compression_distortion(floats)",
        ],
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    blobs = rng.random((3, 3, 4)).astype(np.float32) / 6
    return {
        "blob": ndd.tensor(blobs[0]),
        "many_blobs": blobs,
        "own_blobs": ndd.batch([blobs[0], blobs[1][:2].copy(), blobs[2][:, :1].copy()]),
        "edges": ndd.tensor(np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32)),
        "wide_blob": ndd.tensor(rng.random((15, 14)).astype(np.float32) / 105),
        # From this size on bytes are filtered by way of spectra.
        "large_blob": ndd.tensor(rng.random((31, 35)).astype(np.float32) / 540),
        "large_photos": ndd.batch(list(rng.integers(0, 256, (2, 170, 230, 3), np.uint8)), layout="HWC"),
        "dark": ndd.tensor(np.uint8(17)),
        "own_greys": ndd.batch([np.uint8(0), np.uint8(99), np.uint8(255)]),
        "tiny": ndd.tensor(np.array([[[7, 9]], [[200, 1]]], np.uint8), layout="HWC"),
        "pixel": ndd.tensor(np.array([[[200, 30, 90]]], np.uint8), layout="HWC"),
        "doubles": ndd.tensor(rng.random((9, 14)), layout="HW"),
        "cube_of_floats": ndd.tensor(rng.random((5, 7, 9)).astype(np.float32)),
    }
