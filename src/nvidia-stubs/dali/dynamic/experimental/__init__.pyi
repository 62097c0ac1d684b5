"""Written by tools/gen.py."""

from penstock.dynamic.experimental import *
from penstock.dynamic._signatures.experimental import *
