"""Written by tools/gen.py."""

from penstock.fn.experimental.readers import *
