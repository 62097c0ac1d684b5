"""Written by tools/gen.py."""

from penstock.capture.values import *
