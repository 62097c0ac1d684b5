"""The operators, a file each, by family. `_index` finds them by their public names."""
