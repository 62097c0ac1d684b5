"""Functions on the nodes of a pipeline, element by element: `math.sqrt(node)`, `math.clamp(node, 0, 255)`, ..."""

from penstock.ops.declaration import OPERATORS
from penstock.pipeline.functions.lazy_modules import fill
from penstock.pipeline.functions.operator_functions import function

fill(
    __name__,
    "math",
    (path.removeprefix("math.") for path in OPERATORS if path.startswith("math.")),
    lambda name: function(f"math.{name}"),
)
