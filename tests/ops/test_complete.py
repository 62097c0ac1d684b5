"""Every operator of DALI's dynamic mode is here, with all its arguments, defaults and layouts.

What must be there is in spec_data.json, written by tools/read_spec.py.
"""

from __future__ import annotations

import enum
import json
import math
import typing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.dynamic.calls.functions import declaration
from penstock.ops._index import OPERATORS
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.dtypes import DType

SPEC: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "spec_data.json").read_text())


# What is meant to differ, by operator and argument ("*": any operator), and why.
DELIBERATE: dict[tuple[str, str], str] = {
    ("*", "contrast_center"): "unset means half of the input's range, as in DALI, where the 0.5 is never used",
    ("*", "crop_d"): "unset means 0, the whole axis; given without crop_h and crop_w it is an error",
    ("*", "crop_h"): "unset means 0, the whole axis; given without crop_w it is an error",
    ("*", "crop_w"): "unset means 0, the whole axis; given without crop_h it is an error",
    ("*", "mag_filter"): "unset means as interp_type, which is what the spec's default comes to",
    ("*", "min_filter"): "unset means as interp_type, which is what the spec's default comes to",
    ("*", "resize_longer"): "unset and 0 differ: 0 keeps the size, and is a way of saying it",
    ("*", "resize_shorter"): "unset and 0 differ: 0 keeps the size, and is a way of saying it",
    ("*", "resize_x"): "unset and 0 differ: 0 goes by the other edges, and is a way of saying the size",
    ("*", "resize_y"): "unset and 0 differ: 0 goes by the other edges, and is a way of saying the size",
    ("*", "resize_z"): "unset and 0 differ: 0 goes by the other edges, and is a way of saying the size",
    ("cat", "axis"): "unset means 0, but only together with axis_name is it an error to set it",
    ("decoders.image_slice", "axes"): "unset means that axis_names counts, whose default names the same axes",
    ("decoders.video", "pad_mode"): "a tensor holds numbers; DALI refuses one here too, whatever its schema says",
    ("erase", "axes"): "unset means that axis_names counts",
    ("erase", "axis_names"): "unset means all axes but the channels, as DALI takes it to mean",
    ("erase", "normalized_anchor"): "unset means as normalized, with which it must not be given",
    ("erase", "normalized_shape"): "unset means as normalized, with which it must not be given",
    ("experimental.decoders.image_slice", "axes"): "as decoders.image_slice",
    ("multi_paste", "in_anchors"): "a row of two numbers for every region",
    ("multi_paste", "out_anchors"): "a row of two numbers for every region",
    ("multi_paste", "shapes"): "a row of two numbers for every region",
    ("gaussian_blur", "sigma"): "unset means that it is made from the window; 0 leaves the image as it is",
    ("noise.shot", "factor"): "DALI says 20 and does what it does with 12",
    ("nonsilent_region", "reference_power"): "unset means the largest power of the signal; 0 is an error",
    ("one_hot", "axis"): "unset means -1, but also that samples of one element count as numbers",
    ("random_bbox_crop", "allow_no_crop"): "unset means yes, unless there is a crop_shape, which excludes it",
    ("random_bbox_crop", "aspect_ratio"): "unset means [1, 1]; given with crop_shape it is an error",
    ("random_bbox_crop", "ltrb"): "unset means yes; given with bbox_layout it is an error",
    ("random_bbox_crop", "scaling"): "unset means [1, 1]; given with crop_shape it is an error",
    ("segmentation.random_mask_pixel", "threshold"): "unset means 0; given with value it is an error",
    ("segmentation.random_object_bbox", "background"): "unset means 0, or a number that is no class",
    ("to_decibels", "reference"): "unset means the largest value; 0 is an error",
    ("slice", "axes"): "unset means that axis_names counts, whose default names the same axes",
}
KINDS = {"int32": "int", "int64": "int", "uint32": "int", "float32": "float", "layout": "str"}
ENUMS = {"DType": "enum DataType", "InterpType": "enum InterpType", "ImageType": "enum ImageType"}


def deliberate(operator: str, argument: str) -> bool:
    return (operator, argument) in DELIBERATE or ("*", argument) in DELIBERATE


def in_words(value: Any) -> Any:
    """A default as the spec writes it."""
    if isinstance(value, DType):
        return value.type_id.name
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [in_words(each) for each in value] if isinstance(value, (list, tuple)) else value


def same(ours: Any, spec: Any) -> bool:
    """Floats of the spec have six digits, and its empty lists mean that nothing is set."""
    if ours is None and spec == []:
        return True
    if isinstance(ours, list) and isinstance(spec, list):
        return len(ours) == len(spec) and all(map(same, ours, spec))
    if isinstance(ours, list) != isinstance(spec, list):
        return False
    if isinstance(ours, float) and isinstance(spec, (int, float)):
        return math.isclose(ours, spec, rel_tol=1e-5)
    return bool(ours == spec)


def kind_of(param: Param) -> str:
    """A type in the words of the spec, without its width."""
    if param.is_array:
        return "array"
    element = param.element
    name = "str" if typing.get_origin(element) is typing.Literal else element.__name__
    name = ENUMS.get(name, name)
    return f"list[{name}]" if param.is_list else name


def kinds_allowed(spec: str) -> set[str]:
    """What takes floats may be declared an array."""
    inner = spec.removeprefix("list[").removesuffix("]")
    kind = KINDS.get(inner, inner)
    exact = spec.replace(inner, kind)
    return {exact, "array"} if kind == "float" else {exact}


def outputs_of(op: Operator) -> int | None:
    """How many results the function says it returns; None where the arguments tell."""
    hint = typing.get_type_hints(op.function).get("return")
    if typing.get_origin(hint) is not tuple:
        return None if hint is Any else 1
    results = typing.get_args(hint)
    return None if Ellipsis in results else len(results)


def test_no_operator_is_missing() -> None:
    assert sorted(set(SPEC) - set(OPERATORS)) == []


@pytest.mark.parametrize("name", sorted(SPEC))
def test_no_argument_is_missing(name: str) -> None:
    op, spec = declaration(name), SPEC[name]
    assert [argument for argument in spec.get("arguments", {}) if argument not in op.params] == []
    assert [old for old, new in spec.get("renamed", {}).items() if op.renamed.get(old) != new] == []
    assert [old for old in spec.get("ignored", ()) if old not in op.removed and old not in op.params] == []
    assert (op.draw is not None) == spec.get("random", False)


@pytest.mark.parametrize("name", sorted(SPEC))
def test_arguments_are_declared_as_the_spec_has_them(name: str) -> None:
    op, spec = declaration(name), SPEC[name]
    wrong = []
    for argument, facts in spec.get("arguments", {}).items():
        param = op.params.get(argument)
        if param is None or deliberate(name, argument):
            continue
        if param.required != ("default" not in facts):
            wrong.append(f"{argument} is {'' if param.required else 'not '}required")
        elif not same(in_words(param.default), facts.get("default")):
            wrong.append(f"{argument} defaults to {in_words(param.default)!r} instead of {facts.get('default')!r}")
        if param.per_sample != facts.get("per_sample", False):
            wrong.append(f"{argument} {'may' if param.per_sample else 'may not'} differ from sample to sample")
        if kind_of(param) not in kinds_allowed(facts["type"]):
            wrong.append(f"{argument} is {kind_of(param)} instead of {facts['type']}")
    assert wrong == []


@pytest.mark.parametrize("name", sorted(SPEC))
def test_inputs_outputs_and_layouts_are_those_of_the_spec(name: str) -> None:
    op, spec = declaration(name), SPEC[name]
    fewest, most = spec["inputs"]
    assert op.min_inputs <= fewest
    assert op.variadic or len(op.inputs) >= most
    assert set(spec.get("layouts", ())) <= set(op.layouts) or not op.layouts
    assert outputs_of(op) in (None, spec.get("outputs", outputs_of(op)))


def test_every_deviation_is_of_something_that_exists() -> None:
    known = {(name, argument) for name in SPEC for argument in SPEC[name].get("arguments", {})}
    known |= {("*", argument) for _, argument in known}
    assert sorted(set(DELIBERATE) - known) == []
