"""The contents of penstock.fn.segmentation. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64
from penstock.values.enums import ImageType, InterpType

def random_mask_pixel(mask: Any, /, *, foreground: int | DataNode | None = 0, threshold: float | DataNode | None = None, value: int | DataNode | None = None, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> DataNode: ...

def random_object_bbox(mask: Any, /, *, foreground_prob: float | DataNode | None = 1.0, background: int | DataNode | None = None, classes: int | Sequence[int] | Array | DataNode | None = None, class_weights: float | Sequence[float] | Array | DataNode | None = None, ignore_class: bool | None = False, threshold: int | Sequence[int] | Array | DataNode | None = None, k_largest: int | None = None, format: Literal["anchor_shape", "start_end", "box"] | None = "anchor_shape", output_class: bool | None = False, cache_objects: bool | None = False, seed: int | None = None, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> Any: ...

def select_masks(mask_ids: Any, polygons: Any, vertices: Any, /, *, reindex_masks: bool | None = False, device: str | None = None, name: str | None = None, preserve: bool | None = None) -> Any: ...
