"""Written by tools/gen.py."""

from penstock.fn.readers import *
