"""Written by tools/gen.py."""

from penstock.pipeline.external_source import *
