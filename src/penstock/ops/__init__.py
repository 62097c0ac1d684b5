"""The operators, a file each, by family. `_index` finds them by their public names.

`from penstock import ops` gives the classes of pipelines: ops.Resize, ops.decoders.Image, ops.random.Uniform.
"""

from penstock.ops.classes import classes_of

__getattr__, __dir__ = classes_of(__name__)
