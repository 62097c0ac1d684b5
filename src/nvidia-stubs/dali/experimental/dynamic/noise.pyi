"""Written by tools/gen.py."""

from penstock.dynamic.noise import *
from penstock.dynamic._signatures.noise import *
