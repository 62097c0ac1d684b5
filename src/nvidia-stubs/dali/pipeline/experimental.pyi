"""Written by tools/gen.py."""

from penstock.compat.dali.pipeline.experimental import *
