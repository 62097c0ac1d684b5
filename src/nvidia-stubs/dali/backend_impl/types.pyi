"""Written by tools/gen.py."""

from penstock.types import *
