"""The families of operators: their folders here, and what pages call them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.ops._index import OPERATORS
from penstock.ops.declaration import declaration
from penstock.schema.operator import Operator

TITLES = {
    "decode": "Decoding",
    "image": "Geometry of images",
    "warp": "Warps of images",
    "color": "Colours and pixels",
    "filter": "Filters",
    "noise": "Noise",
    "tensor": "Shapes and types",
    "math": "Mathematics",
    "reductions": "Reductions",
    "transforms": "Affine transforms",
    "random": "Random numbers",
    "detection": "Bounding boxes",
    "segmentation": "Segmentation",
    "io": "Files",
}


def family_of(path: str) -> str:
    """The folder of the operator with that public name."""
    return OPERATORS[path].split(".")[2]


def title_of(family: str) -> str:
    return TITLES.get(family, family.capitalize())


def families() -> Iterator[tuple[str, list[Operator]]]:
    """Every family with its public operators by name, in the order of pages; older names are left out."""
    public = [path for path in OPERATORS if not any(part.startswith("_") for part in path.split("."))]
    for family in dict.fromkeys([*TITLES, *sorted(map(family_of, public))]):
        found = [(path, declaration(path)) for path in sorted(public) if family_of(path) == family]
        yield family, [op for path, op in found if op.path == path]
