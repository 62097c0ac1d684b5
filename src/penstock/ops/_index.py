"""Where each operator is declared. Written by tools/gen.py."""

OPERATORS: dict[str, str] = {
    "_subscript": "penstock.ops.tensor.subscript:subscript",
    "flip": "penstock.ops.image.flip:flip",
}
