"""What ops.py times: the examples beside the operators, and the calls of op_cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from op_cases import FAMILIES

from penstock.ops.families import families
from penstock.schema.example import Example, renamed


class Kind(NamedTuple):
    """The batch that stands for a kind of input, the arrays in it, and the file of op_cases that makes them, if any."""

    batch: str
    arrays: str
    source: str = ""


class Timed(NamedTuple):
    """A call, what one would write instead, and the file of op_cases whose inputs they need, if any."""

    family: str
    operator: str
    call: str
    plain: str = ""
    source: str = ""

    @property
    def module(self) -> str:
        """The file its functions are written to."""
        return f"{self.family}_{self.source or 'common'}_calls"


KINDS = {
    "image": Kind("images", "arrays"),
    "grey": Kind("grey", "grey_arrays"),
    "float_image": Kind("floats", "float_arrays"),
    "line": Kind("line", "lines"),
    "scalars": Kind("scalars", "numbers"),
    "jpeg": Kind("jpegs", "encoded", "existing"),
    "frames": Kind("clips", "films", "shapes"),
    "clip": Kind("mjpeg", "mjpeg_files", "video"),
    "sound": Kind("speech", "clips", "audio_features"),
    "power": Kind("powers", "spectra", "audio_features"),
    "mosaic": Kind("raw", "raw_arrays", "color"),
    "boxes": Kind("boxes", "box_arrays", "detection"),
    "labels": Kind("labels", "label_arrays", "detection"),
}


def timed_calls() -> list[Timed]:
    """All of them, a family after the other; a call's place in the list is its number."""
    written = [
        Timed(family, case["operator"], case["call"], case.get("plain", ""), family)
        for family, cases in FAMILIES.items()
        for case in cases
    ]
    found = [*examples(), *written]
    order = list(dict.fromkeys(each.family for each in found))
    return sorted(found, key=lambda each: order.index(each.family))


def examples() -> Iterator[Timed]:
    """The timed examples of all operators."""
    for family, ops in families():
        for op in ops:
            yield from (_read(family, op.path, example) for example in op.examples if example.timed or example.plain)


def _read(family: str, path: str, example: Example) -> Timed:
    kinds = {name: KINDS[name] for name in example.names}
    sources = {kind.source for kind in kinds.values()} - {""}
    if len(sources) > 1:
        raise ValueError(f"{example.call} needs the inputs of {' and '.join(sorted(sources))}; take them from one file")
    call = renamed(example.call, {"types": "T"} | {name: kind.batch for name, kind in kinds.items()})
    plain = example.plain
    if plain and len(kinds) == 1:
        [(name, kind)] = kinds.items()
        plain = f"[{plain} for {name} in {kind.arrays}]"
    elif plain:
        plain = f"[{plain} for {', '.join(kinds)} in zip({', '.join(kind.arrays for kind in kinds.values())})]"
    return Timed(family, path, call, plain, "".join(sources))


def write_modules(calls: list[Timed], folder: Path) -> None:
    """A function for each expression: DALI reads the source of its callers to find constants.

    It parses the whole file at every call, so there is one for each family and source of inputs.
    """
    for module in {each.module for each in calls}:
        lines = [
            f"def {kind}_{number}():\n    return {expression}\n"
            for number, each in enumerate(calls)
            for kind, expression in {"call": each.call, "plain": each.plain}.items()
            if each.module == module and expression
        ]
        (folder / f"{module}.py").write_text("\n".join(lines))
