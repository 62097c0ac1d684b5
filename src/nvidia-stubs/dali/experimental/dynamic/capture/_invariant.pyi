"""Written by tools/gen.py."""

from penstock.compat.invariant import *
