"""Filters, and what JPEG compression does."""

from __future__ import annotations

from typing import Any

CASES = [
    *(
        {
            "operator": "gaussian_blur",
            "call": f"ndd.gaussian_blur(images, window_size={size}, sigma={sigma})",
            "plain": f"[cv2.GaussianBlur(array, ({size}, {size}), {sigma}) for array in arrays]",
        }
        for size, sigma in ((3, 0.8), (7, 1.4), (31, 5.0))
    ),
    {
        "operator": "gaussian_blur",
        "call": "ndd.gaussian_blur(floats, window_size=7, sigma=1.4)",
        "plain": "[cv2.GaussianBlur(array, (7, 7), 1.4) for array in float_arrays]",
    },
    *(
        {
            "operator": "laplacian",
            "call": f"ndd.laplacian(images, window_size={size})",
            "plain": f"[cv2.Laplacian(array, cv2.CV_8U, ksize={size}) for array in arrays]",
        }
        for size in (3, 5)
    ),
    *(
        {
            "operator": "filter",
            "call": f"ndd.filter(images, {weights})",
            "plain": f"[cv2.filter2D(array, -1, {weights}_array) for array in arrays]",
        }
        for weights in ("sharpen", "box", "blob", "wide_blob")
    ),
    *(
        {
            "operator": f"experimental.{name}",
            "call": f"ndd.experimental.{name}(images, mask_size=[{size}, {size}])",
            "plain": f"[cv2.{name}(array, np.ones(({size}, {size}), np.uint8)) for array in arrays]",
        }
        for name in ("dilate", "erode")
        for size in (3, 15)
    ),
    {
        "operator": "experimental.median_blur",
        "call": "ndd.experimental.median_blur(images, window_size=[5, 5])",
        "plain": "[cv2.medianBlur(array, 5) for array in arrays]",
    },
    {
        "operator": "jpeg_compression_distortion",
        "call": "ndd.jpeg_compression_distortion(images, quality=50)",
        "plain": "[cv2.imdecode(cv2.imencode('.jpg', array, [1, 50])[1], 1) for array in arrays]",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    random = np.random.default_rng(0)
    weights = {
        "sharpen": np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32),
        "box": np.full((5, 5), 1 / 25, np.float32),
        "blob": random.random((5, 5)).astype(np.float32) / 13,
        "wide_blob": random.random((15, 15)).astype(np.float32) / 113,
    }
    given = {name: ndd.tensor(array) for name, array in weights.items()}
    given |= {f"{name}_array": array for name, array in weights.items()}
    return given | {"float_arrays": [random.random((480, 640, 3)).astype(np.float32) for _ in range(32)]}
