"""Written by tools/gen.py."""

from penstock.plugin.triton import *
