"""Element types: `DType`, its twelve numeric members, bfloat16 and the enumeration types."""

from __future__ import annotations

import builtins
import difflib
import re
from collections.abc import Callable
from enum import Enum, IntEnum
from typing import Any, ClassVar

import numpy as np

from penstock.values.enums import DataType as TypeId
from penstock.values.enums import ImageType as ImageTypeEnum
from penstock.values.enums import InterpType as InterpTypeEnum


class NoElementTypeError(RuntimeError, KeyError):
    """A type that no tensor has, as `types.STRING`. Operators raise RuntimeError by the API, `ndd.tensor` KeyError."""

    __str__ = Exception.__str__  # that of a KeyError quotes the message


class DType:
    """An element type: kind, bits and, for floats, how the bits are divided.

    Types that agree in these are equal: `DType(DType.Kind.signed, 32)` is as good as `ndd.int32`. Calling one makes a
    Tensor of that type: ``ndd.float32([1, 2])``.
    """

    class Kind(Enum):
        """What the bits of an element mean."""

        signed = 0
        unsigned = 1
        float = 2
        bool = 3
        enum = 4

        def __repr__(self) -> str:
            return f"Kind.{self.name}"

    by_name: ClassVar[dict[str, DType]] = {}
    by_type_id: ClassVar[dict[TypeId, DType]] = {}
    by_numpy: ClassVar[dict[np.dtype[Any], DType]] = {}
    make_tensor: ClassVar[Callable[..., Any] | None] = None  # set by the dynamic face, which knows Tensor

    def __init__(
        self,
        kind: Kind,
        bits: int,
        exponent_bits: int | None = None,
        significand_bits: int | None = None,
        bytes: int | None = None,
        type_id: TypeId | None = None,
        name: str | None = None,
        docs: str | None = None,
    ) -> None:
        if kind is Kind.float:
            exponent_bits, significand_bits = _float_bits(bits, exponent_bits, significand_bits)
        self.kind = kind
        self.bits = bits
        self.exponent_bits = exponent_bits
        self.significand_bits = significand_bits
        self.bytes = bytes if bytes is not None else -(-bits // 8)
        self.type_id = type_id
        self.name = name or self._short_name()
        self.__doc__ = docs or DType.__doc__
        self.numpy: np.dtype[Any] | None = None
        self.code: int = -1 if type_id is None else int(type_id)
        self._identity = self._make_identity()
        self._hash = hash(self._identity)

    def __call__(self, data: Any, **options: Any) -> Any:
        assert DType.make_tensor is not None, "import penstock.dynamic first"
        return DType.make_tensor(data, dtype=self, **options)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DType):
            # A quiet False would hide a mistake. Frameworks, which compare with np.dtype, know what they do.
            if isinstance(other, str) or _is_framework_type(other):
                raise AttributeError(f"a DType is compared with a DType: ndd.dtype({other!r})")
            return NotImplemented
        return self is other or self._identity == other._identity

    def __hash__(self) -> int:
        return self._hash

    def _make_identity(self) -> tuple[Any, ...]:
        if self.kind is Kind.float:
            return (self.kind, self.bits, self.exponent_bits, self.significand_bits)
        return (self.kind, self.bits, self.name if self.kind is Kind.enum else None)

    def _short_name(self) -> str:
        if self.kind is Kind.bool:
            return "bool"
        if self.kind is not Kind.float:
            letter = {Kind.signed: "i", Kind.unsigned: "u"}.get(self.kind)
            if letter is None:
                raise ValueError(f"Cannot make name for type of kind: {self.kind}")
            return f"{letter}{self.bits}"
        divided = (self.exponent_bits, self.significand_bits)
        if divided == _FLOATS.get(self.bits):
            return f"f{self.bits}"
        return "bfloat16" if (self.bits, *divided) == (16, 8, 7) else _long_name(self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        parts = [f"kind={self.kind!r}", f"bits={self.bits}"]
        if self.kind is Kind.float:
            parts += [f"exponent_bits={self.exponent_bits}", f"significand_bits={self.significand_bits}"]
        return f"DType({', '.join(parts)})"

    @property
    def storage(self) -> np.dtype[Any]:
        """The NumPy type elements are kept in."""
        if self.numpy is None:
            raise KeyError(f"{self} has no storage in host memory; use float32 or float16")
        return self.numpy

    @staticmethod
    def parse(name: str) -> DType:
        """The type with a short name such as "u8", "f32" or "f32e8m23", or with NumPy's, as "float32"."""
        found = DType.by_name.get(name) or DType.by_name.get(re.sub(r"^(f\d+)e\d+m\d+$", r"\1", name))
        if found is not None and (found.name == name or (found.kind is Kind.float and _long_name(found) == name)):
            return found
        found = _BY_NUMPY_NAME.get(name)
        if found is None:
            known = dict.fromkeys([*DType.by_name, *_BY_NUMPY_NAME])
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"Unsupported type name: {name}; known names: {', '.join(known)}{hint}")
        return found

    @staticmethod
    def from_type_id(type_id: TypeId) -> DType:
        """The type of a `types.DALIDataType` member."""
        found = DType.by_type_id.get(type_id)
        if found is None:
            raise NoElementTypeError(
                f"Data type {getattr(type_id, 'name', type_id)} is not supported: "
                "tensors hold numbers, bool and members of enumerations"
            )
        return found

    @staticmethod
    def from_fw_type(numpy_type: Any) -> DType:
        """The type of a NumPy dtype or its name, a torch dtype, `float` or `bool`."""
        if numpy_type is builtins.float:
            return float32
        found = None
        if type(numpy_type).__module__ == "torch":
            found = _BY_NUMPY_NAME.get(str(numpy_type).removeprefix("torch."))
        elif isinstance(numpy_type, (str, np.dtype)) or numpy_type is builtins.bool or _is_framework_type(numpy_type):
            found = DType.by_numpy.get(np.dtype(numpy_type).newbyteorder("="))
        if found is None:
            hint = "; int does not tell a width, use ndd.int32 or ndd.int64" if numpy_type is builtins.int else ""
            raise TypeError(f"'{numpy_type}' could not be converted into any known DALIDataType{hint}")
        return found


Kind = DType.Kind

# How the bits of a float are divided between exponent and significand, unless told otherwise.
_FLOATS = {8: (4, 3), 16: (5, 10), 32: (8, 23), 64: (11, 52)}


def _float_bits(bits: int, exponent: int | None, significand: int | None) -> tuple[int, int]:
    if exponent is None and significand is None:
        if bits not in _FLOATS:
            raise ValueError(f"Unsupported number of bits: {bits}; say how many are exponent_bits and significand_bits")
        return _FLOATS[bits]
    exponent = bits - 1 - significand if exponent is None and significand is not None else exponent
    assert exponent is not None
    return exponent, bits - 1 - exponent if significand is None else significand


def _is_framework_type(value: object) -> bool:
    return type(value).__module__ == "torch" or (isinstance(value, type) and issubclass(value, np.generic))


def _long_name(dtype: DType) -> str:
    return f"f{dtype.bits}e{dtype.exponent_bits}m{dtype.significand_bits}"


def _define(
    name: str,
    kind: Kind,
    bits: int,
    type_id: TypeId | None,
    numpy: Any = None,
    float_bits: tuple[int, int] | tuple[None, None] = (None, None),
) -> DType:
    made = DType(kind, bits, float_bits[0], float_bits[1], type_id=type_id, name=name, docs=_docs(kind, bits))
    DType.by_name[name] = made
    if type_id is not None:
        DType.by_type_id[type_id] = made
    if numpy is not None:
        made.numpy = np.dtype(numpy)
        if kind is not Kind.enum:
            DType.by_numpy[made.numpy] = made
    return made


def _docs(kind: Kind, bits: int) -> str:
    if kind is Kind.enum:
        return "Members of an enumeration, by their numbers."
    nouns = {Kind.signed: "Signed integer", Kind.unsigned: "Unsigned integer", Kind.float: "Floating point number"}
    return f"{nouns[kind]} of {bits} bits." if kind in nouns else "Truth value, in a byte."


uint8 = _define("u8", Kind.unsigned, 8, TypeId.UINT8, np.uint8)
uint16 = _define("u16", Kind.unsigned, 16, TypeId.UINT16, np.uint16)
uint32 = _define("u32", Kind.unsigned, 32, TypeId.UINT32, np.uint32)
uint64 = _define("u64", Kind.unsigned, 64, TypeId.UINT64, np.uint64)
int8 = _define("i8", Kind.signed, 8, TypeId.INT8, np.int8)
int16 = _define("i16", Kind.signed, 16, TypeId.INT16, np.int16)
int32 = _define("i32", Kind.signed, 32, TypeId.INT32, np.int32)
int64 = _define("i64", Kind.signed, 64, TypeId.INT64, np.int64)
float16 = _define("f16", Kind.float, 16, TypeId.FLOAT16, np.float16, (5, 10))
float32 = _define("f32", Kind.float, 32, TypeId.FLOAT, np.float32, (8, 23))
float64 = _define("f64", Kind.float, 64, TypeId.FLOAT64, np.float64, (11, 52))
bool_ = _define("bool", Kind.bool, 8, TypeId.BOOL, np.bool_)
bfloat16 = _define("bfloat16", Kind.float, 16, None, None, (8, 7))
DataType = _define("DataType", Kind.enum, 32, TypeId.DATA_TYPE, np.int32)
ImageType = _define("ImageType", Kind.enum, 32, TypeId.IMAGE_TYPE, np.int32)
InterpType = _define("InterpType", Kind.enum, 32, TypeId.INTERP_TYPE, np.int32)

NUMERIC: tuple[DType, ...] = (
    uint8, uint16, uint32, uint64, int8, int16, int32, int64, float16, float32, float64, bool_,
)  # fmt: skip
_BY_NUMPY_NAME: dict[str, DType] = {made.storage.name: made for made in NUMERIC}
BY_CODE: dict[int, DType] = {made.code: made for made in (*NUMERIC, DataType, ImageType, InterpType)}
_KNOWN: dict[DType, DType] = {made: made for made in (*BY_CODE.values(), bfloat16)}
ENUM_TYPES: dict[type[IntEnum], DType] = {TypeId: DataType, ImageTypeEnum: ImageType, InterpTypeEnum: InterpType}


def enumeration_of(dtype: DType) -> type[IntEnum] | None:
    """The enumeration whose members elements of this type are."""
    return next((kind for kind, made in ENUM_TYPES.items() if made is dtype), None)


def dtype(value: Any) -> DType:
    """The `DType` of a DType, `types.DALIDataType`, name ("f32", "float32"), NumPy or torch type, `float` or `bool`."""
    if isinstance(value, DType):
        return _KNOWN.get(value, value)
    if isinstance(value, TypeId):
        return DType.from_type_id(value)
    if isinstance(value, str):
        return DType.parse(value)
    return DType.from_fw_type(value)


def declared_dtype(value: Any) -> DType | None:
    """As `dtype`; None and `types.NO_TYPE` declare nothing."""
    return None if value is None or value is TypeId.NO_TYPE else dtype(value)


def type_id(dtype: Any) -> TypeId | None:
    """The `types.DALIDataType` of a DType; None for a type DALI has no code for."""
    if isinstance(dtype, TypeId):
        return dtype
    if isinstance(dtype, DType):
        return dtype.type_id
    raise ValueError(f"Invalid dtype: {dtype}")
