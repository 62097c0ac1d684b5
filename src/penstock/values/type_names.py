"""Element types of other libraries by the names they go by."""

from __future__ import annotations

from typing import Any

from penstock.values.dtypes import NUMERIC
from penstock.values.enums import DataType

_OTHER_NAMES = {
    DataType.BOOL: ("bool", "bool_", "boolean"),
    DataType.INT8: ("sbyte",),
    DataType.UINT8: ("byte", "ubyte"),
    DataType.INT16: ("short",),
    DataType.UINT16: ("ushort",),
    DataType.INT64: ("long",),
    DataType.UINT64: ("ulong",),
    DataType.FLOAT16: ("half",),
    DataType.FLOAT: ("float",),
    DataType.FLOAT64: ("double",),
}
_BY_NAME = {made.storage.name: made.type_id for made in NUMERIC}
_BY_NAME |= {name: type_id for type_id, names in _OTHER_NAMES.items() for name in names}
_NUMPY_TYPES: dict[Any, type] = {made.type_id: made.storage.type for made in NUMERIC}


def to_dali_type(framework_type: Any) -> DataType:
    """The `types.DALIDataType` of a NumPy, torch or JAX type, of `float` or `bool`, or of the name of one."""
    name = str(getattr(framework_type, "__name__", framework_type)).rpartition(".")[2]
    found = _BY_NAME.get(name)
    if found is None:
        raise TypeError(f"'{framework_type}' could not be converted into any known DALIDataType.")
    return found


def to_numpy_type(dali_type: DataType) -> Any:
    """The NumPy scalar type of a `types.DALIDataType`: ``np.uint8`` for ``types.UINT8``."""
    return _NUMPY_TYPES[dali_type]
