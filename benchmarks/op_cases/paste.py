"""Pasting, erasing, masking, resizing in one pass with a crop, and noise."""

from __future__ import annotations

from typing import Any

CASES = [
    {
        "operator": "multi_paste",
        "call": "ndd.multi_paste(images, in_ids=pairs, shapes=halves, out_anchors=places)",
        "plain": "[np.concatenate([array[:, :320], other[:, :320]], axis=1) "
        "for array, other in zip(arrays, arrays[1:] + arrays[:1])]",
    },
    {
        "operator": "grid_mask",
        "call": "ndd.grid_mask(images, tile=60, ratio=0.5, angle=0.3)",
        "plain": "[masked(array, 60, 0.5, 0.3) for array in arrays]",
    },
    {
        "operator": "grid_mask",
        "call": "ndd.grid_mask(images, tile=60)",
        "plain": "[masked(array, 60, 0.5, 0.0) for array in arrays]",
    },
    {
        "operator": "tensor_resize",
        "call": "ndd.tensor_resize(line, scales=[0.7])",
        "plain": "[cv2.resize(array[None, :30000], (21000, 1), interpolation=cv2.INTER_AREA) "
        "for array in lines for _ in range(66)]",
    },
    {
        "operator": "noise.gaussian",
        "call": "ndd.noise.gaussian(images, stddev=20.0)",
        "plain": "[np.clip(np.rint(array + 20 * draws.standard_normal(array.shape, np.float32)), 0, 255)"
        ".astype(np.uint8) for array in arrays]",
    },
    {
        "operator": "noise.salt_and_pepper",
        "call": "ndd.noise.salt_and_pepper(images)",
        "plain": "[salted(array, draws.random(array.shape[:2], np.float32)) for array in arrays]",
    },
    {
        "operator": "noise.shot",
        "call": "ndd.noise.shot(images)",
        "plain": "[np.clip(draws.poisson(array / 12.0) * 12, 0, 255).astype(np.uint8) for array in arrays]",
    },
    {
        "operator": "noise.shot",
        "call": "ndd.noise.shot(images, factor=1.0)",
        "plain": "[np.clip(draws.poisson(array), 0, 255).astype(np.uint8) for array in arrays]",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    def masked(array: Any, tile: int, ratio: float, angle: float) -> Any:
        y, x = np.mgrid[: array.shape[0], : array.shape[1]].astype(np.float32)
        cosine, sine = np.cos(angle) / tile, np.sin(angle) / tile
        across, down = x * cosine - y * sine, x * sine + y * cosine
        return array * ((across % 1 >= ratio) | (down % 1 >= ratio))[..., None]

    def salted(array: Any, unit: Any) -> Any:
        made = array.copy()
        made[unit < 0.05] = 0
        made[unit < 0.025] = 255
        return made

    return {
        "pairs": ndd.batch([np.array([i, (i + 1) % 32], np.int32) for i in range(32)]),
        "halves": ndd.tensor(np.array([[480, 320], [480, 320]], np.int32)),
        "places": ndd.tensor(np.array([[0, 0], [0, 320]], np.int32)),
        "draws": np.random.default_rng(5),
        "masked": masked,
        "salted": salted,
    }
