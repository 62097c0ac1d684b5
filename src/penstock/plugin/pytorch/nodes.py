"""Nodes for torchdata, as `ndd.pytorch.nodes` has them."""

from penstock.dynamic.pytorch.nodes import DictMapper, Reader, ToTorch

__all__ = ["DictMapper", "Reader", "ToTorch"]
