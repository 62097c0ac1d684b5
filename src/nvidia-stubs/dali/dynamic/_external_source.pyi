"""Written by tools/gen.py."""

from penstock.dynamic.external_source import *
