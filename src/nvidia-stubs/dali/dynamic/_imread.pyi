"""Written by tools/gen.py."""

from penstock.dynamic.imread import *
