"""Written by tools/gen.py."""

from penstock.engine.threads import *
