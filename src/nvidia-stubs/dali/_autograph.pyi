"""Written by tools/gen.py."""

from penstock.pipeline.conditionals.rewritten import *
