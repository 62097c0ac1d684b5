"""Types and defaults of arguments, as schemas of operators tell them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from penstock.schema.params import Param
from penstock.values.dtypes import DType
from penstock.values.enums import DataType, ImageType, InterpType

_BY_KIND: dict[Any, DataType] = {
    bool: DataType.BOOL,
    int: DataType.INT32,
    float: DataType.FLOAT,
    str: DataType.STRING,
    DType: DataType.DATA_TYPE,
    ImageType: DataType.IMAGE_TYPE,
    InterpType: DataType.INTERP_TYPE,
}
_BY_ANNOTATION = {
    "bool": DataType.BOOL,
    "int": DataType.INT32,
    "float": DataType.FLOAT,
    "DALIDataType": DataType.DATA_TYPE,
    "DataType": DataType.DATA_TYPE,
    "DTypeLike": DataType.DATA_TYPE,
    "ImageType": DataType.IMAGE_TYPE,
    "InterpType": DataType.INTERP_TYPE,
}
# Where the declaration here is wider than the type in DALI, or of another width.
_BY_NAME = {
    "dtype": DataType.DATA_TYPE,
    "dtypes": DataType._DATA_TYPE_VEC,
    "hybrid_huffman_threshold": DataType.UINT32,
    "idata": DataType._INT64_VEC,
    "image_type": DataType.IMAGE_TYPE,
    "ndim": DataType.INT32,
    "out_length": DataType.INT64,
    "rel_roi_end": DataType._FLOAT_VEC,
    "rel_roi_shape": DataType._FLOAT_VEC,
    "rel_roi_start": DataType._FLOAT_VEC,
    "shuffle_after_epoch_seed": DataType.INT64,
    "stride": DataType.UINT32,
}
_LISTS = {
    DataType.BOOL: DataType._BOOL_VEC,
    DataType.INT32: DataType._INT32_VEC,
    DataType.INT64: DataType._INT64_VEC,
    DataType.STRING: DataType._STRING_VEC,
    DataType.FLOAT: DataType._FLOAT_VEC,
    DataType.TENSOR_LAYOUT: DataType._TENSOR_LAYOUT_VEC,
    DataType.DATA_TYPE: DataType._DATA_TYPE_VEC,
}
_OF_LAYOUTS = ("layout", "axis_name", "axis_names")  # how names of arguments end that are layouts


def type_of_param(param: Param) -> DataType:
    """The type of an operator's argument, from what it is declared with."""
    known = _known(param.name)
    if known is not None:
        return known
    found = DataType.FLOAT if param.is_array else _BY_KIND.get(param.element, DataType.STRING)
    return _LISTS[found] if param.is_list or param.is_array else found


def type_of_annotation(name: str, annotation: Any) -> DataType:
    """The type of a reader's argument, from its annotation, which may be as it is written: "Sequence[int] | None"."""
    known = _known(name)
    if known is not None:
        return known
    first = str(getattr(annotation, "__name__", annotation)).partition(" | ")[0]
    kind = first.removeprefix("Sequence[").removesuffix("]") if first.startswith("Sequence[") else first
    found = _BY_ANNOTATION.get(kind, DataType.STRING)
    return found if kind == first else _LISTS[found]


def _known(name: str) -> DataType | None:
    return DataType.TENSOR_LAYOUT if name.endswith(_OF_LAYOUTS) else _BY_NAME.get(name)


def written(default: Any, kind: DataType) -> str:
    """A default as documentation shows it: floats with six digits, enumerations as numbers, lists with a comma."""
    if kind in _LISTS.values():
        of_elements = next(element for element, of_lists in _LISTS.items() if of_lists is kind)
        several = default if isinstance(default, Sequence) and not isinstance(default, str) else [default]
        if of_elements is DataType.STRING:
            return str([*several])
        return f"[{''.join(f'{written(each, of_elements)}, ' for each in several)}]"
    if isinstance(default, DType):
        default = default.type_id
    if kind is DataType.BOOL:
        return str(bool(default))
    if kind is DataType.FLOAT:
        return f"{default:.6f}"
    return str(int(default)) if isinstance(default, IntEnum) else repr(default)
