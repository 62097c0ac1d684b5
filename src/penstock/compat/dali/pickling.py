"""What programs find as `nvidia.dali.pickling`."""

from __future__ import annotations

from penstock.pipeline.workers.pickling import pickle_by_value

__all__ = ["pickle_by_value"]
