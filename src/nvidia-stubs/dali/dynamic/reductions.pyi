"""Written by tools/gen.py."""

from penstock.dynamic.reductions import *
from penstock.dynamic._signatures.reductions import *
