"""Constants of a pipeline: numbers with an element type, and arrays that are the same for every sample."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum
from typing import Any, ClassVar

import numpy as np

from penstock.values.casting import cast_array
from penstock.values.dtypes import BY_CODE, ENUM_TYPES, NUMERIC, DType, float32, float64, int32, int64, uint32, uint64
from penstock.values.enums import DataType

Array = np.ndarray[Any, Any]

_PLAIN: dict[type, DataType] = {bool: DataType.BOOL, int: DataType.INT32, float: DataType.FLOAT}
_NARROWER = {float64: float32, int64: int32, uint64: uint32}
# What every operator takes and a constant has no use for.
_IGNORED = frozenset({"bytes_per_sample_hint", "preserve", "seed"})


_PYTHON_TYPES: dict[object, type[bool] | type[int] | type[float]] = {
    made.type_id: {"b": bool, "f": float}.get(made.storage.kind, int) for made in NUMERIC
}


def _cast_to(dtype: DataType) -> Callable[[ScalarConstant], ScalarConstant]:
    def cast(self: ScalarConstant) -> ScalarConstant:
        """This number with the element type the method is named after; integers lose the fraction."""
        return ScalarConstant(self.value, dtype)

    return cast


class ScalarConstant:
    """A number with an element type, as operand of arithmetic or argument of an operator.

    ``image * types.Constant(2).uint8()`` stays uint8. A bool is BOOL, an int INT32, a float FLOAT unless told
    otherwise; a NumPy number keeps its type.
    """

    def __init__(self, value: Any, dtype: DataType | None = None) -> None:
        if hasattr(value, "dtype") and hasattr(value, "item"):
            dtype = DType.from_fw_type(value.dtype).type_id if dtype is None else dtype
            value = value.item()
        if not isinstance(value, (bool, int, float)) or isinstance(value, Enum):
            raise TypeError(f"Expected scalar value of type 'bool', 'int' or 'float', got {type(value)}.")
        if dtype is None:
            dtype = _PLAIN[type(value)]
        if not isinstance(dtype, DataType) or dtype not in _PYTHON_TYPES:
            raise TypeError(f"a ScalarConstant is of a numeric type such as types.FLOAT or types.UINT8, not {dtype!r}")
        self.shape: list[int] = []
        self.value: bool | int | float = _PYTHON_TYPES[dtype](value)
        self.dtype = dtype

    @property
    def numpy_dtype(self) -> np.dtype[Any]:
        """The element type to NumPy."""
        return BY_CODE[self.dtype].storage

    @property
    def array(self) -> Array:
        """The value as an array without axes. A number that its type cannot hold is an OverflowError."""
        storage = self.numpy_dtype
        if storage.kind in "iu" and not np.iinfo(storage).min <= self.value <= np.iinfo(storage).max:
            raise OverflowError(f"Integer {self.value} is out of range for {storage.name}.")
        return np.array(self.value, storage)

    bool = _cast_to(DataType.BOOL)
    int8 = _cast_to(DataType.INT8)
    int16 = _cast_to(DataType.INT16)
    int32 = _cast_to(DataType.INT32)
    int64 = _cast_to(DataType.INT64)
    uint8 = _cast_to(DataType.UINT8)
    uint16 = _cast_to(DataType.UINT16)
    uint32 = _cast_to(DataType.UINT32)
    uint64 = _cast_to(DataType.UINT64)
    float16 = _cast_to(DataType.FLOAT16)
    float32 = _cast_to(DataType.FLOAT)
    float64 = _cast_to(DataType.FLOAT64)

    # There are no operators beside these two: with a DataNode its own are used, and it turns numbers into nodes.
    def __eq__(self, other: object) -> builtins.bool:
        if not isinstance(other, ScalarConstant):
            return NotImplemented
        return self.value == other.value and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> builtins.bool:
        return bool(self._whole("bool"))

    def __int__(self) -> int:
        return int(self._whole("int"))

    def __float__(self) -> float:
        if not isinstance(self.value, float):
            raise TypeError(f"{self} must be converted to a float type before float(): .float32() does")
        return self.value

    def _whole(self, kind: str) -> builtins.bool | int:
        if isinstance(self.value, float):
            raise TypeError(f"{self} must be converted to bool or an integer type before {kind}(): .int32() does")
        return self.value

    def __str__(self) -> str:
        return f"{self.value}:{self.dtype}"

    def __repr__(self) -> str:
        return str(self.value)


class Constant:
    """An array that is the same for every sample of every batch.

    Args:
        value: A number, a list or an array; float64 becomes float32 and 64-bit integers 32-bit ones unless `dtype` says
            otherwise.
        dtype: Element type; values are rounded and saturated to it.
        shape: The shape to give the elements, or to fill with a single one.
        layout: What the axes mean.
        device: Where the node is: "cpu" or "gpu".
        name: Name of the node.
    """

    as_node: ClassVar[Callable[[Constant], Any] | None] = None  # set by the pipeline face, which knows DataNode

    def __init__(
        self,
        value: Any,
        dtype: DataType | None = None,
        shape: Sequence[int] | int | None = None,
        layout: str | None = None,
        device: str | None = None,
        name: str | None = None,
    ) -> None:
        array, kind = _elements(value, dtype)
        if shape is not None:
            array = np.full(shape, array.item(), array.dtype) if array.size == 1 else array.reshape(shape)
        if layout is not None and not isinstance(layout, str):
            raise TypeError(f"layout must be a string, got {layout!r}")
        if layout and len(layout) != array.ndim:
            raise RuntimeError(f'the layout "{layout}" names {len(layout)} axes, the constant has {array.ndim}')
        if device not in (None, "cpu", "gpu"):
            raise ValueError(f'a constant is on "cpu" or "gpu", not {device!r}')
        array.flags.writeable = False
        self.value = array
        self.dtype = DataType(kind.code)
        self.numpy_dtype = array.dtype
        self.shape: tuple[int, ...] = array.shape
        self.layout = layout or ""
        self.device = device or "cpu"
        self.name = name

    def __repr__(self) -> str:
        return f"Constant({self.value.tolist()}, {self.dtype}, shape={self.shape})"


def constant(
    value: Any,
    dtype: DataType | None = None,
    shape: Sequence[int] | int | None = None,
    layout: str | None = None,
    device: str | None = None,
    **options: Any,
) -> Any:
    """A constant for use in a pipeline: a `ScalarConstant` for a number, a node for anything that has axes.

        image * types.Constant(1.5).float16()
        fn.rotate(image, angle=types.Constant(np.float32([10, 20]), layout="A"))

    A shape, layout, device or enumeration member makes a node of a number too. See `Constant` for the arguments.
    """
    has_axes = isinstance(value, (list, tuple)) or np.ndim(value) > 0 or (shape is not None and np.size(shape))
    is_number = not has_axes and not isinstance(value, Enum) and (dtype is None or dtype in _PYTHON_TYPES)
    if is_number and layout is None and device is None and not options:
        return ScalarConstant(value, dtype)
    return constant_node(device, value, dtype, shape, layout, **options)


def constant_node(
    device: str | None,
    value: Any,
    dtype: DataType | None,
    shape: Sequence[int] | int | None,
    layout: str | None,
    **options: Any,
) -> Any:
    """As `constant`, but always a node; outside of pipelines the `Constant` one is made from."""
    named = {key: option for key, option in options.items() if key not in _IGNORED}
    made = Constant(value, dtype, shape, layout, device, **named)
    return made if Constant.as_node is None else Constant.as_node(made)


def _elements(value: Any, wanted: DataType | None) -> tuple[Array, DType]:
    """The data in an array of its own, of the wanted type or the one the API gives it, and that type."""
    if wanted is not None and (not isinstance(wanted, DataType) or wanted not in BY_CODE):
        raise TypeError(f"the elements of a constant are of a type such as types.FLOAT or types.UINT8, not {wanted!r}")
    array = np.array(np.asarray(value), order="C")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"'{array.dtype}' could not be converted into any known DALIDataType")
    kind = _enumeration(value) if wanted is None else BY_CODE[wanted]
    if kind is None:
        return _narrowed(array)
    return np.asarray(cast_array(array, kind)), kind


def _enumeration(value: Any) -> DType | None:
    members = value if isinstance(value, (list, tuple)) else [value]
    kinds = {type(member) for member in members}
    named = next((kind for kind in kinds if issubclass(kind, IntEnum)), None)
    if named is None:
        return None
    if len(kinds) > 1:
        raise TypeError(f"Expected all elements of the input to be the same enum type: `{named.__name__}`")
    return ENUM_TYPES[named]


def _narrowed(array: Array) -> tuple[Array, DType]:
    """Elements of at most 32 bits, and their type."""
    kind = DType.from_fw_type(array.dtype)
    narrow = _NARROWER.get(kind, kind)
    made = cast_array(array.astype(kind.storage, copy=False), narrow)
    if kind.kind is not DType.Kind.float and (beyond := array[made != array]).size:
        raise OverflowError(f"Integer {beyond[0]} out of range for {narrow.storage}; dtype=types.INT64 keeps it")
    return np.asarray(made), narrow
