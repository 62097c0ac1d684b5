"""Written by tools/gen.py."""

from penstock.dynamic.experimental.readers import *
