"""Element types, enumerations and constants under the names DALI programs use: `types.UINT8`, `types.RGB`, ..."""

from penstock.values.constants import ScalarConstant
from penstock.values.constants import constant as Constant  # noqa: N812
from penstock.values.constants import constant_node as ConstantNode  # noqa: N812
from penstock.values.device import CUDAStream
from penstock.values.enums import DataType as DALIDataType
from penstock.values.enums import ImageType as DALIImageType
from penstock.values.enums import InterpType as DALIInterpType
from penstock.values.enums import PipelineAPIType
from penstock.values.sample_info import BatchInfo, SampleInfo
from penstock.values.spec import TensorLayout
from penstock.values.type_names import to_dali_type, to_numpy_type

globals().update({member.name: member for enum in (DALIDataType, DALIImageType, DALIInterpType) for member in enum})

# Layouts by the names they have as arguments of `output_layout`, where N is the batch.
NCHW = "CHW"
NHWC = "HWC"
NFHWC = "FHWC"
NFCHW = "FCHW"
SAME = ""

CPU_ONLY_DEVICE_ID = -99999

__all__ = [
    "CPU_ONLY_DEVICE_ID",
    "NCHW",
    "NFCHW",
    "NFHWC",
    "NHWC",
    "SAME",
    "BatchInfo",
    "CUDAStream",
    "Constant",
    "ConstantNode",
    "DALIDataType",
    "DALIImageType",
    "DALIInterpType",
    "PipelineAPIType",
    "SampleInfo",
    "ScalarConstant",
    "TensorLayout",
    "to_dali_type",
    "to_numpy_type",
]
