"""Written by tools/gen.py."""

from penstock.pipeline.data_node import *
