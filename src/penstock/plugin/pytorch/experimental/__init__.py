"""Ways of using pipelines with PyTorch that may still change."""

from penstock.plugin.pytorch.experimental import proxy

__all__ = ["proxy"]
