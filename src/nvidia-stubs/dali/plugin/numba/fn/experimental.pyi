"""Written by tools/gen.py."""

from penstock.plugin.numba.fn.experimental import *
