"""Written by tools/gen.py."""

from penstock.auto_aug.trivial_augment import *
