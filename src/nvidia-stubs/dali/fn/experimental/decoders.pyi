"""Written by tools/gen.py."""

from penstock.fn.experimental.decoders import *
