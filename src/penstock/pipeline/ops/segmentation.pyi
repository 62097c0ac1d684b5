"""The contents of penstock.pipeline.ops.segmentation. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject

class RandomMaskPixel(OperatorObject): ...

class RandomObjectBBox(OperatorObject): ...

class SelectMasks(OperatorObject): ...
