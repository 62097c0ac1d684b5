"""Programs: graphs that run step after step on the batches of their sources, a few steps ahead of the consumer."""
