"""Written by tools/gen.py."""

from penstock.engine.modes import *
