"""Written by tools/gen.py."""

from penstock.dynamic.math import *
from penstock.dynamic._signatures.math import *
