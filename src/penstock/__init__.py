"""Penstock feeds models: imperative data loading and pre-processing for deep learning.

import penstock.dynamic as ndd
"""

__version__ = "0.1.0"
