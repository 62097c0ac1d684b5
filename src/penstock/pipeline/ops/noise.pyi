"""The contents of penstock.pipeline.ops.noise. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject

class Gaussian(OperatorObject): ...

class SaltAndPepper(OperatorObject): ...

class Shot(OperatorObject): ...
