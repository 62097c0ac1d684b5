"""The doors in and out: arrays to and from NumPy, torch, JAX and anything that speaks DLPack."""
