"""Written by tools/gen.py."""

from penstock.auto_aug.core.augmentation import *
