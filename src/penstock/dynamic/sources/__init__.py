"""Sources of ndd that are written by hand: the user's own data, and readers that differ from those drawn."""
