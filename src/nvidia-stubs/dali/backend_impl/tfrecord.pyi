"""Written by tools/gen.py."""

from penstock.tfrecord import *
