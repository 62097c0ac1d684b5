"""Written by tools/gen.py."""

from penstock.gpu.streams import *
