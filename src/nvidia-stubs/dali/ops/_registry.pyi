"""Written by tools/gen.py."""

from penstock.compat.dali.backend.registry import *
