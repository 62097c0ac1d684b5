"""Sound: decoding, sample rates and features."""
