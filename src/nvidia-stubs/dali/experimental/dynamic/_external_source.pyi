"""Written by tools/gen.py."""

from penstock.dynamic.sources.external_source import *
