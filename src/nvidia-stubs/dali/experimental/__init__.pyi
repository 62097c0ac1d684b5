"""Written by tools/gen.py."""

from penstock.compat.dali.experimental import *
