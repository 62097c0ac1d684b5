"""Written by tools/gen.py."""

from penstock.dynamic.tensor import *
