"""Written by tools/gen.py."""

from penstock.dynamic.io.file import *
from penstock.dynamic._signatures.io_file import *
