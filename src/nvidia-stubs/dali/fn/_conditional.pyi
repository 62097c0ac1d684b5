"""Written by tools/gen.py."""

from penstock.compat.dali.conditional_operators import *
