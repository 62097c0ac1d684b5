"""Written by tools/gen.py."""

from penstock.values.device import *
