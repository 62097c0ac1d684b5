"""Written by tools/gen.py."""

from nvidia.dali import backend as backend
from nvidia.dali import fn as fn
from nvidia.dali import math as math
from nvidia.dali import ops as ops
from nvidia.dali import pipeline as pipeline
from nvidia.dali import tensors as tensors
from nvidia.dali import tfrecord as tfrecord
from nvidia.dali import types as types
from nvidia.dali.pipeline import DataNode as DataNode
from nvidia.dali.pipeline import Pipeline as Pipeline
from nvidia.dali.pipeline import pipeline_def as pipeline_def
from penstock.pipeline.options import OperatorConcurrency as OperatorConcurrency
from penstock.pipeline.options import StreamPolicy as StreamPolicy
from penstock.pipeline.definition.data_node import newaxis as newaxis

__version__: str
