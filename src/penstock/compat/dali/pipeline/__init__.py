"""What programs find as `nvidia.dali.pipeline`."""

from penstock.compat.dali.pipeline import experimental
from penstock.pipeline.conditionals.function_conversion import do_not_convert
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.pipeline_function import pipeline_def
from penstock.pipeline.options import OperatorConcurrency, StreamPolicy
from penstock.pipeline.pipeline import Pipeline

__all__ = [
    "DataNode",
    "OperatorConcurrency",
    "Pipeline",
    "StreamPolicy",
    "do_not_convert",
    "experimental",
    "pipeline_def",
]
