"""Written by tools/gen.py."""

from penstock.values.dtypes import *
