"""Written by tools/gen.py."""

from penstock.dynamic.transforms import *
from penstock.dynamic._signatures.transforms import *
