"""The operators of pipelines as classes: ops.Resize, ops.decoders.Image, ops.readers.File and so on.

An object of such a class keeps arguments for its calls, and each call adds a node to the pipeline.
"""

from penstock.pipeline.functions.lazy_modules import fill
from penstock.pipeline.functions.op_classes import Compose, class_paths, make_class

fill(__name__, "ops", class_paths(), make_class)

__all__ = ["Compose"]
