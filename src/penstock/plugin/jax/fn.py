"""Operators of pipelines that need JAX."""

from penstock.plugin.jax.function import jax_function

__all__ = ["jax_function"]
