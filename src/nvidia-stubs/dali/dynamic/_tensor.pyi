"""Written by tools/gen.py."""

from penstock.dynamic.values.tensor import *
