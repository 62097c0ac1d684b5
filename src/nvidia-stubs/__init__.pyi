"""Written by tools/gen.py."""
