"""Written by tools/gen.py."""

from penstock.dynamic.streams import *
