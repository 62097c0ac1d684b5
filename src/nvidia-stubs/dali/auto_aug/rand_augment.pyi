"""Written by tools/gen.py."""

from penstock.auto_aug.rand_augment import *
