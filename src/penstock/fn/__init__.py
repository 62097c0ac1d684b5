"""The operators of pipelines: fn.resize, fn.decoders.image, fn.readers.file and so on."""

from penstock.pipeline.namespace import fill

fill(__name__)
