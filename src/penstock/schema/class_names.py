"""The names that operators have as classes."""

from __future__ import annotations

_WORDS = {
    "bbox": "BBox", "coco": "COCO", "dl": "DL", "mfcc": "MFCC", "mxnet": "MXNet", "rms": "RMS", "roi": "ROI",
    "ssd": "SSD", "tfrecord": "TFRecord",
}  # fmt: skip


def class_path(path: str) -> str:
    """ "decoders.ImageCrop" for the function "decoders.image_crop"."""
    module, dot, name = path.rpartition(".")
    return module + dot + "".join(_WORDS.get(word, word.capitalize()) for word in name.split("_"))


def schema_name(path: str) -> str:
    """ "decoders__ImageCrop", which is what messages call that operator in pipelines."""
    return class_path(path).replace(".", "__")
