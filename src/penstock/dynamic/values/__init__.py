"""Tensor and Batch: how they are made, indexed, calculated with and shown."""
