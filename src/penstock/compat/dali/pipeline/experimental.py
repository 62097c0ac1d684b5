"""What programs find as `nvidia.dali.pipeline.experimental`."""

from penstock.pipeline.experimental import pipeline_def

__all__ = ["pipeline_def"]
