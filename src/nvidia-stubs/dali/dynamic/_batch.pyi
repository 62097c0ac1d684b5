"""Written by tools/gen.py."""

from penstock.dynamic.values.batch import *
