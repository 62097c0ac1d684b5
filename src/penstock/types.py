"""Enumerations under the names DALI programs use: `types.UINT8`, `types.RGB`, `types.INTERP_LINEAR`, ..."""

from penstock.values.enums import DataType as DALIDataType
from penstock.values.enums import ImageType as DALIImageType
from penstock.values.enums import InterpType as DALIInterpType

globals().update({member.name: member for enum in (DALIDataType, DALIImageType, DALIInterpType) for member in enum})

__all__ = ["DALIDataType", "DALIImageType", "DALIInterpType"]
