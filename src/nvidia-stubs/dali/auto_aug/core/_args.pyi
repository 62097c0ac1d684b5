"""Written by tools/gen.py."""

from penstock.compat.dali.augmentation_arguments import *
