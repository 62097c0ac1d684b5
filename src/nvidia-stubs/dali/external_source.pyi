"""Written by tools/gen.py."""

from penstock.pipeline.functions.external_source import *
