"""Colour operators, and what a user would write with OpenCV instead."""

from __future__ import annotations

from typing import Any

TWIST = "np.float32([[1.1, -0.2, 0.1, 3], [0.1, 0.9, 0.1, 3], [-0.1, 0.2, 1.0, 3]])"

CASES: list[dict[str, Any]] = [
    {
        "operator": "color_twist (float)",
        "call": "ndd.color_twist(floats, hue=30.0, saturation=1.2)",
        "plain": f"[cv2.transform(array, {TWIST}) for array in float_arrays]",
    },
    {
        "operator": "color_space_conversion (grey)",
        "call": "ndd.color_space_conversion(images, image_type=T.RGB, output_type=T.GRAY)",
        "plain": "[cv2.cvtColor(array, cv2.COLOR_RGB2GRAY) for array in arrays]",
    },
    {
        "operator": "color_space_conversion (BGR)",
        "call": "ndd.color_space_conversion(images, image_type=T.RGB, output_type=T.BGR)",
        "plain": "[cv2.cvtColor(array, cv2.COLOR_RGB2BGR) for array in arrays]",
    },
    {
        "operator": "lookup_table",
        "call": "ndd.lookup_table(images, keys=keys, values=values, dtype=ndd.uint8)",
        "plain": "[cv2.LUT(array, table) for array in arrays]",
    },
    {
        "operator": "lookup_table (float)",
        "call": "ndd.lookup_table(images, keys=keys, values=values)",
        "plain": "[table.astype(np.float32)[array] for array in arrays]",
    },
    {
        "operator": "clahe",
        "call": "ndd.clahe(images, tiles_x=8, tiles_y=8, clip_limit=2.0)",
        "plain": "[equalized_lightness(cv2, array) for array in arrays]",
    },
    {
        "operator": "clahe (grey)",
        "call": "ndd.clahe(grey, tiles_x=8, tiles_y=8, clip_limit=2.0)",
        "plain": "[cv2.createCLAHE(2.0, (8, 8)).apply(array) for array in raw_arrays]",
    },
]


def equalized_lightness(cv2: Any, array: Any) -> Any:
    lab = cv2.cvtColor(array, cv2.COLOR_RGB2LAB)
    lightness, a, b = cv2.split(lab)
    return cv2.cvtColor(cv2.merge([cv2.createCLAHE(2.0, (8, 8)).apply(lightness), a, b]), cv2.COLOR_LAB2RGB)


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    raw = rng.integers(0, 256, (32, 480, 640)).astype(np.uint8)
    table = rng.integers(0, 256, 256).astype(np.uint8)
    return {
        "raw": ndd.as_batch(raw, layout="HW"),
        "raw_arrays": list(raw),
        "float_arrays": list(rng.random((32, 480, 640, 3), dtype=np.float32)),
        "table": table,
        "keys": list(range(256)),
        "values": [float(value) for value in table],
        "equalized_lightness": equalized_lightness,
    }
