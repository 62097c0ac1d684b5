"""Written by tools/gen.py."""

from penstock.plugin.numba.experimental import *
