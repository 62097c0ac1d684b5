"""The operators of pipelines: fn.resize, fn.decoders.image, fn.readers.file and so on."""

from penstock.pipeline.functions.lazy_modules import fill
from penstock.pipeline.functions.namespace import function_paths, make_function

fill(__name__, "fn", function_paths(), make_function)
