"""Written by tools/gen.py."""

from penstock.pipeline.ops.transforms import *
