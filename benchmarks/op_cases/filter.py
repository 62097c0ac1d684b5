"""Filters, and what JPEG compression does."""

from __future__ import annotations

from typing import Any

CASES = [
    *(
        {
            "operator": "filter",
            "call": f"ndd.filter(images, {weights})",
            "plain": f"[cv2.filter2D(array, -1, {weights}_array) for array in arrays]",
        }
        for weights in ("sharpen", "box", "blob", "wide_blob", "widest_blob")
    ),
    *(
        {
            "operator": "filter",
            "call": f"ndd.filter(floats, {weights})",
            "plain": f"[cv2.filter2D(array, -1, {weights}_array) for array in float_arrays]",
        }
        for weights in ("blob", "large_blob")
    ),
    {
        "operator": "experimental.median_blur",
        "call": "ndd.experimental.median_blur(few, window_size=[3, 3])",
        "plain": "[cv2.medianBlur(array, 3) for array in few_arrays]",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    random = np.random.default_rng(0)
    weights = {
        "sharpen": np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32),
        "box": np.full((5, 5), 1 / 25, np.float32),
        "blob": random.random((5, 5)).astype(np.float32) / 13,
        "large_blob": random.random((11, 11)).astype(np.float32) / 61,
        "wide_blob": random.random((15, 15)).astype(np.float32) / 113,
        "widest_blob": random.random((31, 31)).astype(np.float32) / 481,
    }
    few = list(random.integers(0, 256, (4, 224, 224, 3)).astype(np.uint8))
    given = {name: ndd.tensor(array) for name, array in weights.items()}
    given |= {f"{name}_array": array for name, array in weights.items()}
    given |= {"few": ndd.batch(few, layout="HWC"), "few_arrays": few}
    return given | {"float_arrays": [random.random((480, 640, 3)).astype(np.float32) for _ in range(32)]}
