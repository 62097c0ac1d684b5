"""Written by tools/gen.py."""

from penstock.pipeline.conditionals.function_conversion import *
