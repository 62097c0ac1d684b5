"""What an operator makes of a clip is what it makes of every frame, each with its own arguments."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import penstock.dynamic as ndd
from penstock import types
from penstock.cli.gallery import gallery, inputs
from penstock.dynamic.calls.functions import declaration, function

GIVEN = inputs()
PICTURES = {"image", "other", "mosaic", "mapx", "mapy"}
FRAME_SIZES = {"size", "crop", "shape", "resize_longer", "resize_shorter", "shapes", "rel_start", "rel_end"}
WHOLE_CLIPS = {"transpose", "sequence_rearrange", "element_extract"}
TO_FRAMES = {  # what has to be said of a clip for it to mean its frames, as in DALI
    "crop_mirror_normalize": {"output_layout": "FCHW"},
    "erase": {"axis_names": "HW"},
}
OTHER_VALUES = {
    "crop_pos_x": 0.7,
    "matrix": [1.2, 0.3, -30.0, 0.1, 1.1, -9.0, 0.0, 0.001, 1.0],
    "out_anchors": [[0, 120], [0, 0]],
    "mirror": 0,
    "horizontal": 1,
    "vertical": 0,
    "interp_type": types.INTERP_CUBIC,
    "blue_position": [0, 1],
}


class Call(NamedTuple):
    """A call of the gallery taken apart: the names of its inputs, and its arguments."""

    operator: str
    inputs: tuple[str, ...]
    arguments: dict[str, Any]

    def on(self, *inputs: Any, **changed: Any) -> Any:
        said = TO_FRAMES.get(self.operator, {}) if inputs[0].layout.startswith("F") else {}
        return function(self.operator)(*inputs, **{**self.arguments, **said, **changed})


def read(call: str) -> Call:
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call)
    values = {
        keyword.arg: eval(ast.unparse(keyword.value), {"ndd": ndd, "types": types}) for keyword in parsed.keywords
    }
    return Call(ast.unparse(parsed.func).removeprefix("ndd."), tuple(map(ast.unparse, parsed.args)), values)


def takes_clips(call: Call) -> bool:
    op = declaration(call.operator)
    kinds = not op.layouts or any(layout.startswith("F") for layout in op.layouts)
    return kinds and op.draw is None and set(call.inputs) <= PICTURES and call.operator not in WHOLE_CLIPS


SHOWN = [shown.call for family in gallery().values() for shown in family]
ON_CLIPS = [call for call in map(read, SHOWN) if takes_clips(call)]


def frames_of(name: str) -> list[np.ndarray[Any, Any]]:
    first = np.asarray(GIVEN[name])
    return [first, first[::-1].copy(), first[:, ::-1].copy()]


def clip_and_frames(call: Call) -> tuple[list[Any], list[list[Any]]]:
    layouts = [GIVEN[name].layout for name in call.inputs]
    each = [frames_of(name) for name in call.inputs]
    clips = [ndd.tensor(np.stack(frames), layout="F" + at) for frames, at in zip(each, layouts, strict=True)]
    frames = [[ndd.tensor(f[k], layout=at) for f, at in zip(each, layouts, strict=True)] for k in range(3)]
    return clips, frames


def other_value(name: str, value: Any) -> Any:
    """A value unlike the one of the call, as long and as sensible."""
    if name in OTHER_VALUES:
        return OTHER_VALUES[name][: len(value)] if name == "matrix" else OTHER_VALUES[name]
    return [other_value(name, each) for each in value] if isinstance(value, list) else type(value)(value * 0.6)


PER_FRAME = [
    pytest.param(call, name, id=f"{call.operator}-{name}")
    for call in ON_CLIPS
    for name, value in call.arguments.items()
    if declaration(call.operator).params[name].per_sample
    and name not in FRAME_SIZES
    and not isinstance(value, (str, bool))
    and not (name == "angle" and "keep_size" not in call.arguments)  # such frames differ in size
]


@pytest.mark.parametrize("call", ON_CLIPS, ids=lambda call: call.operator)
def test_a_clip_is_its_frames(call):
    clips, frames = clip_and_frames(call)
    result = call.on(*clips)
    assert_array_equal(np.asarray(result), np.stack([np.asarray(call.on(*frame)) for frame in frames]))
    assert result.layout == "F" + call.on(*frames[0]).layout


@pytest.mark.parametrize(("call", "name"), PER_FRAME)
def test_every_frame_has_its_own_argument(call, name):
    clips, frames = clip_and_frames(call)
    value = call.arguments[name]
    values = [value, other_value(name, value), value]
    storage = declaration(call.operator).params[name].storage
    marked = ndd.per_frame(ndd.tensor(np.array(values, storage)))
    made = np.asarray(call.on(*clips, **{name: marked}))
    wanted = [np.asarray(call.on(*frame, **{name: one})) for frame, one in zip(frames, values, strict=True)]
    assert_array_equal(made, np.stack(wanted))
    assert not np.array_equal(made[1], np.asarray(call.on(*frames[1]))), "the other value changes nothing"
