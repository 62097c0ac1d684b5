"""Functions of fn by deprecated names, which programs still use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from penstock.pipeline.functions.input_count import called_as, takes_inputs
from penstock.pipeline.functions.operator_functions import function, renamed_function
from penstock.values.deprecation import warn_deprecated

DEPRECATED_NAMES = {
    "audio_decoder": "decoders.audio",
    "caffe2_reader": "readers.caffe2",
    "caffe_reader": "readers.caffe",
    "coco_reader": "readers.coco",
    "coin_flip": "random.coin_flip",
    "experimental.audio_resample": "audio_resample",
    "experimental.debayer": "debayer",
    "experimental.equalize": "equalize",
    "experimental.filter": "filter",
    "experimental.inflate": "decoders.inflate",
    "experimental.tensor_resize": "tensor_resize",
    "file_reader": "readers.file",
    "image_decoder": "decoders.image",
    "image_decoder_crop": "decoders.image_crop",
    "image_decoder_random_crop": "decoders.image_random_crop",
    "image_decoder_slice": "decoders.image_slice",
    "mxnet_reader": "readers.mxnet",
    "nemo_asr_reader": "readers.nemo_asr",
    "normal_distribution": "random.normal",
    "numpy_reader": "readers.numpy",
    "sequence_reader": "readers.sequence",
    "tfrecord_reader": "readers.tfrecord",
    "transform_translation": "transforms.translation",
    "uniform": "random.uniform",
    "video_reader": "readers.video",
    "video_reader_resize": "readers.video_resize",
}


def deprecated_function(path: str, current: Callable[..., Any]) -> Callable[..., Any]:
    """A function that warns of its deprecated name and calls the current one."""

    @wraps(current)
    def call(*inputs: Any, **keywords: Any) -> Any:
        _warn(path, DEPRECATED_NAMES[path])
        with called_as(f"fn.{path}"):
            return current(*inputs, **keywords)

    call.__name__ = call.__qualname__ = path.rsplit(".", 1)[-1]
    return call


@takes_inputs("fast_resize_crop_mirror", 1)
def fast_resize_crop_mirror(*inputs: Any, antialias: bool = False, **keywords: Any) -> Any:
    """`fn.resize_crop_mirror` without antialiasing."""
    _warn("fast_resize_crop_mirror", "resize_crop_mirror")
    return function("resize_crop_mirror")(*inputs, antialias=antialias, **keywords)


@takes_inputs("shapes", 1)
def shapes(data: Any, /, *, dtype: Any = None, type: Any = None, **keywords: Any) -> Any:
    """The extents of every sample, as int64 or as `dtype`, once called `type`: what `DataNode.shape` gives."""
    _warn("shapes", "DataNode.shape")
    return function("_shape")(data, dtype=type if dtype is None else dtype, **keywords)


@takes_inputs("ssd_random_crop", 3)
def ssd_random_crop(images: Any, boxes: Any, labels: Any, /, *, num_attempts: int = 1, **keywords: Any) -> Any:
    """Crops images so that enough of their boxes stays, as training SSD does: images, boxes and labels of the crop."""
    _warn("ssd_random_crop", "random_bbox_crop")
    anchor, shape, boxes, labels = function("random_bbox_crop")(
        boxes, labels, thresholds=[0.0, 0.1, 0.3, 0.5, 0.7, 0.9], scaling=[0.3, 1.0], aspect_ratio=[0.5, 2.0],
        bbox_layout="xyXY", num_attempts=num_attempts, **keywords,
    )  # fmt: skip
    return [function("slice")(images, anchor, shape), boxes, labels]


def _warn(path: str, current: str) -> None:
    now = current if current[0].isupper() else f"nvidia.dali.fn.{current}"
    warn_deprecated(renamed_function(path, now))
