"""Written by tools/gen.py."""

from penstock.engine.context import *
