"""Written by tools/gen.py."""

from penstock.plugin.pytorch.python_function import *
