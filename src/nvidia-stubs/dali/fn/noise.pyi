"""Written by tools/gen.py."""

from penstock.fn.noise import *
