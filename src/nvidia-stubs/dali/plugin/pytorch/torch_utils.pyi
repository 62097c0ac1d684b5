"""Written by tools/gen.py."""

from penstock.plugin.pytorch.feeding import *
