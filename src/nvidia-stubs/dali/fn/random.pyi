"""Written by tools/gen.py."""

from penstock.fn.random import *
