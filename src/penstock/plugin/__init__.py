"""Iterators that hand the batches of pipelines to a framework's training loop: plugin.pytorch, plugin.jax."""
