"""Written by tools/gen.py."""

from penstock.plugin.base_iterator import *
