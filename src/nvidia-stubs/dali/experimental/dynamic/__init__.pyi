"""Written by tools/gen.py."""

from penstock.dynamic import *
from penstock.dynamic._signatures.ndd import *
