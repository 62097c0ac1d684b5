"""What all readers share: order, shards, saved state, reading ahead and samples that cannot be read."""
