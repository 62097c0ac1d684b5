"""Written by tools/gen.py."""

from penstock.pipeline.definition.data_node import *
