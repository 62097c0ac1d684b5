"""Written by tools/gen.py."""

from penstock.dynamic.decoders import *
from penstock.dynamic._signatures.decoders import *
