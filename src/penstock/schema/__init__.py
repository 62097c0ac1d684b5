"""What @operator reads from a function; argument conversion, signatures and docs are drawn from it."""

from penstock.schema.example import Example, examples
from penstock.schema.operator import Operator, operator
from penstock.schema.params import Draw, PerSample

__all__ = ["Draw", "Example", "Operator", "PerSample", "examples", "operator"]
