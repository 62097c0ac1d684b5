"""The contents of penstock.pipeline.ops.io.file. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject

class Read(OperatorObject): ...
