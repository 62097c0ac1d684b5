"""Written by tools/gen.py."""

from penstock.fn.io.file import *
