"""Written by tools/gen.py."""

from penstock.dynamic.io import *
