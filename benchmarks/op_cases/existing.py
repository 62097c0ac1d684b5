"""Decoding, cropping, resizing and other operators on whole images."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PICTURES = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"

CASES = [
    {
        "operator": "decoders.image",
        "call": "ndd.decoders.image(jpegs)",
        "plain": "[cv2.imdecode(data, cv2.IMREAD_COLOR_RGB) for data in encoded]",
    },
    {
        "operator": "decoders.image_crop",
        "call": "ndd.decoders.image_crop(jpegs, crop=[224, 224])",
        "plain": "[cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)[68:292, 128:352].copy() for data in encoded]",
    },
    {
        "operator": "decoders.image_slice",
        "call": "ndd.decoders.image_slice(jpegs, rel_start=[0.25, 0.25], rel_shape=[0.5, 0.5], axis_names='HW')",
        "plain": "[cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)[90:270, 120:360].copy() for data in encoded]",
    },
    {
        "operator": "decoders.image_random_crop",
        "call": "ndd.decoders.image_random_crop(jpegs)",
    },
    {
        "operator": "peek_image_shape",
        "call": "ndd.peek_image_shape(jpegs)",
        "plain": "[cv2.imdecode(data, cv2.IMREAD_COLOR_RGB).shape for data in encoded]",
    },
    {
        "operator": "resize",
        "call": "ndd.resize(images, size=[224, 224])",
        "plain": "[cv2.resize(array, (224, 224), interpolation=cv2.INTER_AREA) for array in arrays]",
    },
    {
        "operator": "resize",
        "call": "ndd.resize(images, size=[224, 224], antialias=False)",
        "plain": "[cv2.resize(array, (224, 224)) for array in arrays]",
    },
    {
        "operator": "resize",
        "call": "ndd.resize(images, size=[720, 960], interp_type=T.INTERP_CUBIC)",
        "plain": "[cv2.resize(array, (960, 720), interpolation=cv2.INTER_CUBIC) for array in arrays]",
    },
    {
        "operator": "random_resized_crop",
        "call": "ndd.random_resized_crop(images, size=[224, 224])",
    },
    {
        "operator": "random_crop_generator",
        "call": "ndd.random_crop_generator(sizes)",
    },
    {
        "operator": "crop",
        "call": "ndd.crop(images, crop=[400, 400])",
        "plain": "[array[40:440, 120:520].copy() for array in arrays]",
    },
    {
        "operator": "slice",
        "call": "ndd.slice(images, rel_start=[0.1, 0.1], rel_shape=[0.8, 0.8], axis_names='HW')",
        "plain": "[array[48:432, 64:576].copy() for array in arrays]",
    },
    {
        "operator": "flip",
        "call": "ndd.flip(images)",
        "plain": "[cv2.flip(array, 1) for array in arrays]",
    },
    {
        "operator": "flip",
        "call": "ndd.flip(images, horizontal=0, vertical=1)",
        "plain": "[cv2.flip(array, 0) for array in arrays]",
    },
    {
        "operator": "crop_mirror_normalize",
        "call": "ndd.crop_mirror_normalize(images, crop=[448, 448], mean=[120, 110, 100], std=[60, 61, 62])",
        "plain": "[cv2.dnn.blobFromImage(array[16:464, 96:544], 1 / 61, mean=(120, 110, 100)) for array in arrays]",
    },
    {
        "operator": "normalize",
        "call": "ndd.normalize(images)",
        "plain": "[(array - array.mean()) / array.std() for array in arrays]",
    },
    {
        "operator": "normalize",
        "call": "ndd.normalize(line)",
        "plain": "[(array - array.mean()) / array.std() for array in lines]",
    },
    {
        "operator": "pad",
        "call": "ndd.pad(images, axis_names='HW', shape=[512, 672])",
        "plain": "[cv2.copyMakeBorder(array, 0, 32, 0, 32, cv2.BORDER_CONSTANT) for array in arrays]",
    },
    {
        "operator": "transpose",
        "call": "ndd.transpose(images, perm=[2, 0, 1])",
        "plain": "[np.ascontiguousarray(array.transpose(2, 0, 1)) for array in arrays]",
    },
    {
        "operator": "reshape",
        "call": "ndd.reshape(images, shape=[480 * 640, 3], layout='')",
    },
    {
        "operator": "copy",
        "call": "ndd.copy(images)",
        "plain": "[array.copy() for array in arrays]",
    },
    {
        "operator": "cast",
        "call": "ndd.cast(images, dtype=ndd.float32)",
        "plain": "[array.astype(np.float32) for array in arrays]",
    },
    {
        "operator": "per_frame",
        "call": "ndd.per_frame(line)",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    files = sorted(PICTURES.glob("*/*.jpg"))
    encoded = [np.fromfile(files[number % len(files)], np.uint8) for number in range(32)]
    return {
        "encoded": encoded,
        "jpegs": ndd.batch(encoded),
        "sizes": ndd.batch([np.array([480, 640], np.int64)] * 32),
    }
