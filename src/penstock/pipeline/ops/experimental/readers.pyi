"""The contents of penstock.pipeline.ops.experimental.readers. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject

class Fits(OperatorObject): ...

class Video(OperatorObject): ...
