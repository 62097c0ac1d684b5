"""Written by tools/gen.py."""

from penstock.compat.dali._conditionals import *
