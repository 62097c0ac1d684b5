"""The calls ops.py times besides the operators' examples, a file for each family, and inputs of both.

An entry is a dict:

    operator    the operator it times
    call        a Python expression that runs in both libraries; `ndd` and `T` are the library and its types
    plain       what one would write with OpenCV or NumPy instead, where there is such a thing; `cv2`, `np`

The names they may use are made in op_worker.py: `images` is a Batch of 32 RGB images of 480x640, `arrays` and `stack`
the same for NumPy; `grey` and `floats` are such images with one channel, and as float32; `line` is a Batch of 4 float32
arrays of two million elements, `lines` the arrays; `scalars` a Batch of 256 float32 numbers, `numbers` their array.
A family that needs more has a function `inputs(ndd, np)` that returns it by name. What an example's kinds of inputs are
called here is in op_calls.py.
"""

from __future__ import annotations

import importlib
import pkgutil

FAMILIES: dict[str, list[dict[str, str]]] = {
    module.name: importlib.import_module(f"{__name__}.{module.name}").CASES for module in pkgutil.iter_modules(__path__)
}
