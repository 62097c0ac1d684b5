"""Written by tools/gen.py."""

from penstock.dynamic.checkpoint import *
