"""The names of `penstock.types`, which lists the members of its enumerations. Written by tools/gen.py."""

from typing import Final

from penstock.values.constants import ScalarConstant as ScalarConstant
from penstock.values.constants import constant, constant_node
from penstock.values.device import CUDAStream as CUDAStream
from penstock.values.enums import DataType, ImageType, InterpType
from penstock.values.enums import PipelineAPIType as PipelineAPIType
from penstock.values.sample_info import BatchInfo as BatchInfo
from penstock.values.sample_info import SampleInfo as SampleInfo
from penstock.values.spec import TensorLayout as TensorLayout
from penstock.values.type_names import to_dali_type as to_dali_type
from penstock.values.type_names import to_numpy_type as to_numpy_type

DALIDataType = DataType
DALIImageType = ImageType
DALIInterpType = InterpType
Constant = constant
ConstantNode = constant_node
CPU_ONLY_DEVICE_ID: Final = -99999
NCHW: Final = 'CHW'
NFCHW: Final = 'FCHW'
NFHWC: Final = 'FHWC'
NHWC: Final = 'HWC'
SAME: Final = ''
NO_TYPE: Final = DALIDataType.NO_TYPE
UINT8: Final = DALIDataType.UINT8
UINT16: Final = DALIDataType.UINT16
UINT32: Final = DALIDataType.UINT32
UINT64: Final = DALIDataType.UINT64
INT8: Final = DALIDataType.INT8
INT16: Final = DALIDataType.INT16
INT32: Final = DALIDataType.INT32
INT64: Final = DALIDataType.INT64
FLOAT16: Final = DALIDataType.FLOAT16
FLOAT: Final = DALIDataType.FLOAT
FLOAT64: Final = DALIDataType.FLOAT64
BOOL: Final = DALIDataType.BOOL
STRING: Final = DALIDataType.STRING
_BOOL_VEC: Final = DALIDataType._BOOL_VEC
_INT32_VEC: Final = DALIDataType._INT32_VEC
_STRING_VEC: Final = DALIDataType._STRING_VEC
_FLOAT_VEC: Final = DALIDataType._FLOAT_VEC
FEATURE: Final = DALIDataType.FEATURE
IMAGE_TYPE: Final = DALIDataType.IMAGE_TYPE
DATA_TYPE: Final = DALIDataType.DATA_TYPE
INTERP_TYPE: Final = DALIDataType.INTERP_TYPE
TENSOR_LAYOUT: Final = DALIDataType.TENSOR_LAYOUT
PYTHON_OBJECT: Final = DALIDataType.PYTHON_OBJECT
_TENSOR_LAYOUT_VEC: Final = DALIDataType._TENSOR_LAYOUT_VEC
_DATA_TYPE_VEC: Final = DALIDataType._DATA_TYPE_VEC
_INT64_VEC: Final = DALIDataType._INT64_VEC
RGB: Final = DALIImageType.RGB
BGR: Final = DALIImageType.BGR
GRAY: Final = DALIImageType.GRAY
YCbCr: Final = DALIImageType.YCbCr
ANY_DATA: Final = DALIImageType.ANY_DATA
INTERP_NN: Final = DALIInterpType.INTERP_NN
INTERP_LINEAR: Final = DALIInterpType.INTERP_LINEAR
INTERP_CUBIC: Final = DALIInterpType.INTERP_CUBIC
INTERP_LANCZOS3: Final = DALIInterpType.INTERP_LANCZOS3
INTERP_TRIANGULAR: Final = DALIInterpType.INTERP_TRIANGULAR
INTERP_GAUSSIAN: Final = DALIInterpType.INTERP_GAUSSIAN
