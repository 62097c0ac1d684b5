"""Written by tools/gen.py."""

from penstock.dynamic.segmentation import *
from penstock.dynamic._signatures.segmentation import *
