"""The functions of fn and the classes of ops, by their public names."""
