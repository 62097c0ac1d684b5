"""Written by tools/gen.py."""

from penstock.plugin.pytorch.loader_evaluator import *
