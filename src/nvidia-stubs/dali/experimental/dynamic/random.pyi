"""Written by tools/gen.py."""

from penstock.dynamic.random import *
from penstock.dynamic._signatures.random import *
