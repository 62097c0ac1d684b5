"""Written by tools/gen.py."""

from penstock.compat.operator_classes import *
