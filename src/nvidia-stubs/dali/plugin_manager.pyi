"""Written by tools/gen.py."""

from penstock.compat.dali.plugin_manager import *
