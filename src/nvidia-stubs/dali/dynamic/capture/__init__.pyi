"""Written by tools/gen.py."""

from penstock.capture import *
