"""Written by tools/gen.py."""

from penstock.engine.invocation import *
