"""Written by tools/gen.py."""

from penstock.dynamic.batch import *
