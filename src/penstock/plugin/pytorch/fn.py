"""Operators of pipelines that need torch."""

from penstock.plugin.pytorch.python_function import torch_python_function

__all__ = ["torch_python_function"]
