"""The enumerations of the API, with the numbers DALI programs know."""

import warnings
from enum import Enum, IntEnum
from numbers import Integral


class _Named(IntEnum):
    """Prints with the name its enumeration has in `penstock.types`."""

    def __str__(self) -> str:
        return f"DALI{type(self).__name__}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self.value}>"

    def __eq__(self, other: object) -> bool:
        # Members of different enumerations may share a number. Tensors and arrays would compare their elements, and a
        # search for a member among them is no question of elements.
        if not isinstance(other, Integral) or (isinstance(other, _Named) and not isinstance(other, type(self))):
            return False
        return int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


class DataType(_Named):
    """Element types by code; `penstock.types` exports the members by name."""

    NO_TYPE = -1
    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    UINT64 = 3
    INT8 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    FLOAT16 = 8
    FLOAT = 9
    FLOAT64 = 10
    BOOL = 11
    STRING = 12
    _BOOL_VEC = 13  # lists, which only arguments are; programs ask schemas of operators for them
    _INT32_VEC = 14
    _STRING_VEC = 15
    _FLOAT_VEC = 16
    FEATURE = 17
    IMAGE_TYPE = 20
    DATA_TYPE = 21
    INTERP_TYPE = 22
    TENSOR_LAYOUT = 23
    PYTHON_OBJECT = 24
    _TENSOR_LAYOUT_VEC = 25
    _DATA_TYPE_VEC = 26
    _INT64_VEC = 27

    def __call__(self) -> str:
        """The type in the language of `struct`, as "=B": `tensor.dtype` was a method once, and programs call it."""
        warnings.warn("Calling '.dtype()' is deprecated, please use '.dtype' instead", DeprecationWarning, stacklevel=2)
        if self not in _STRUCT:
            raise TypeError(f"{self} has no letter in the language of `struct`")
        return f"={_STRUCT[self]}"


_STRUCT = dict(zip(list(DataType)[1:13], "BHIQbhiqefd?", strict=True))


class ImageType(_Named):
    """Colour spaces of decoded images."""

    RGB = 0
    BGR = 1
    GRAY = 2
    YCbCr = 3
    ANY_DATA = 4


class InterpType(_Named):
    """Interpolation filters of the resampling operators."""

    INTERP_NN = 0
    INTERP_LINEAR = 1
    INTERP_CUBIC = 2
    INTERP_LANCZOS3 = 3
    INTERP_TRIANGULAR = 4
    INTERP_GAUSSIAN = 5


# What members are called elsewhere, beside their own names.
_WORDS: dict[type[IntEnum], dict[str, IntEnum]] = {
    InterpType: {
        "nn": InterpType.INTERP_NN,
        "nearest": InterpType.INTERP_NN,
        "nearest-exact": InterpType.INTERP_NN,
        "linear": InterpType.INTERP_LINEAR,
        "bilinear": InterpType.INTERP_LINEAR,
        "cubic": InterpType.INTERP_CUBIC,
        "bicubic": InterpType.INTERP_CUBIC,
        "lanczos": InterpType.INTERP_LANCZOS3,
        "lanczos3": InterpType.INTERP_LANCZOS3,
        "triangular": InterpType.INTERP_TRIANGULAR,
        "gaussian": InterpType.INTERP_GAUSSIAN,
    },
    ImageType: {
        "rgb": ImageType.RGB,
        "bgr": ImageType.BGR,
        "gray": ImageType.GRAY,
        "grey": ImageType.GRAY,
        "grayscale": ImageType.GRAY,
        "ycbcr": ImageType.YCbCr,
        "any_data": ImageType.ANY_DATA,
    },
}


def words_of(kind: type[IntEnum]) -> list[str]:
    """The words that members of an enumeration are known by, in lower case."""
    return [*_WORDS.get(kind, ())]


def member_named(kind: type[IntEnum], name: str) -> IntEnum | None:
    """The member of an enumeration by a word, or by its own name, in any case."""
    named = {member.name.lower(): member for member in kind} | _WORDS.get(kind, {})
    return named.get(name.lower())


class PipelineAPIType(Enum):
    """Which of its ways to run a pipeline is used: `run`, an iterator, or `schedule_run` and `share_outputs`."""

    BASIC = 0
    ITERATOR = 1
    SCHEDULED = 2
