"""Written by tools/gen.py."""

from penstock.fn.reductions import *
