"""Written by tools/gen.py."""

from penstock.fn.segmentation import *
