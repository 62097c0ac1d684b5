"""Written by tools/gen.py."""

from penstock.plugin.pytorch.experimental.proxy import *
