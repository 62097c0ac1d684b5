"""Written by tools/gen.py."""

from penstock.math import *
