"""Written by tools/gen.py."""

from penstock.fn.decoders import *
