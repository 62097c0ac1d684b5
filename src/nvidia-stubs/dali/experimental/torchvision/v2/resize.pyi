"""Written by tools/gen.py."""

from penstock.plugin.torchvision.geometry import *
