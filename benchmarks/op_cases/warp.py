"""Operators that take pixels from anywhere, beside OpenCV's."""

from __future__ import annotations

from typing import Any

TURN = "np.array([[0.866, 0.5, -77.1], [-0.5, 0.866, 192.2]], np.float32)"
VIEW = "np.array([[0.9, 0.1, 3.5], [-0.05, 1.1, -2.25], [0.0003, -0.0002, 1]], np.float32)"
BACKWARDS = "flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP"


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    rows, columns = np.mgrid[:480, :640].astype(np.float32)
    across = (columns + 10 * np.sin(rows * np.float32(np.pi / 64))).astype(np.float32)
    down = (rows + 10 * np.cos(columns * np.float32(np.pi / 64))).astype(np.float32)
    far = np.hypot(columns - 319.5, rows - 239.5) / 320
    return {
        "across": across,
        "down": down,
        "ball_x": (320 + far * (columns - 319.5)).astype(np.float32),
        "ball_y": (240 + far * (rows - 239.5)).astype(np.float32),
    }


CASES = [
    {
        "operator": "rotate (grey, whole canvas)",
        "call": "ndd.rotate(grey, angle=30.0)",
        "plain": (
            f"[cv2.warpAffine(array[:, :, :1].copy(), {TURN}, (796, 736), {BACKWARDS}, "
            "borderMode=cv2.BORDER_REPLICATE) for array in arrays]"
        ),
    },
    {
        "operator": "warp_affine",
        "call": f"ndd.warp_affine(images, matrix={TURN}, fill_value=0)",
        "plain": f"[cv2.warpAffine(array, {TURN}, (640, 480), {BACKWARDS}) for array in arrays]",
    },
    {
        "operator": "warp_affine (nearest)",
        "call": f"ndd.warp_affine(images, matrix={TURN}, fill_value=0, interp_type=T.INTERP_NN)",
        "plain": (
            f"[cv2.warpAffine(array, {TURN}, (640, 480), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP) "
            "for array in arrays]"
        ),
    },
    {
        "operator": "warp_affine (float)",
        "call": f"ndd.warp_affine(floats, matrix={TURN}, fill_value=0)",
        "plain": f"[cv2.warpAffine(np.float32(array), {TURN}, (640, 480), {BACKWARDS}) for array in arrays]",
    },
    {
        "operator": "experimental.warp_perspective",
        "call": f"ndd.experimental.warp_perspective(images, matrix={VIEW})",
        "plain": f"[cv2.warpPerspective(array, {VIEW}, (640, 480), {BACKWARDS}) for array in arrays]",
    },
    {
        "operator": "water",
        "call": "ndd.water(images, interp_type=T.INTERP_LINEAR)",
        "plain": "[cv2.remap(array, across, down, cv2.INTER_LINEAR) for array in arrays]",
    },
    {
        "operator": "sphere",
        "call": "ndd.sphere(images)",
        "plain": "[cv2.remap(array, ball_x, ball_y, cv2.INTER_NEAREST) for array in arrays]",
    },
    {
        "operator": "experimental.remap",
        "call": "ndd.experimental.remap(images, across, down)",
        "plain": "[cv2.remap(array, across, down, cv2.INTER_LINEAR) for array in arrays]",
    },
    {
        "operator": "jitter",
        "call": "ndd.jitter(images, nDegree=4)",
        "plain": (
            "[cv2.remap(array, across + np.random.randint(-2, 3, across.shape).astype(np.float32), "
            "down + np.random.randint(-2, 3, down.shape).astype(np.float32), cv2.INTER_NEAREST) for array in arrays]"
        ),
    },
]
