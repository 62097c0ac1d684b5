"""Written by tools/gen.py."""

from penstock.dynamic.experimental.decoders import *
from penstock.dynamic._signatures.experimental_decoders import *
