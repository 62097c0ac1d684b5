"""Written by tools/gen.py."""

from penstock.dynamic.readers import *
