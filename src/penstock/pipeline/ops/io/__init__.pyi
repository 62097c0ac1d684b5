"""The contents of penstock.pipeline.ops.io. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject
from penstock.pipeline.ops.io import file as file
