"""The readers that are here take all the arguments of DALI's, with their defaults.

What must be there is in spec_data.json, written by tools/read_spec.py.
"""

from __future__ import annotations

import enum
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import penstock.dynamic as ndd
from penstock.values.dtypes import DType

SPEC: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "spec_data.json").read_text())
HERE = {
    "experimental.readers.Fits", "experimental.readers.Video", "readers.COCO", "readers.Caffe", "readers.Caffe2",
    "readers.File", "readers.MXNet", "readers.Numpy", "readers.Sequence", "readers.TFRecord", "readers.Video",
    "readers.VideoResize",
}  # fmt: skip

# What is meant to differ, by reader and argument ("*": any reader), and why.
DELIBERATE: dict[tuple[str, str], str] = {
    ("*", "file_root"): "unset and empty are the same",
    ("*", "file_list"): "unset and empty are the same",
    ("*", "index_path"): "files without an index are gone through",
    ("readers.File", "case_sensitive_filter"): "the spec has what the argument comes to",
    ("readers.VideoResize", "mag_filter"): "unset means as interp_type, which is what the spec's default comes to",
    ("readers.VideoResize", "min_filter"): "unset means as interp_type, which is what the spec's default comes to",
}


def reader_class(name: str) -> Any:
    found: Any = ndd
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


PRESENT = sorted(name for name in SPEC if reader_class(name) is not None)


def in_words(value: Any) -> Any:
    """A default as the spec writes it; its empty lists mean that nothing is set."""
    if isinstance(value, DType):
        return value.type_id.name
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (list, tuple)):
        return [in_words(each) for each in value]
    return [] if value is None else value


def test_readers_are_here() -> None:
    assert sorted(HERE - set(PRESENT)) == []


@pytest.mark.parametrize("name", PRESENT)
def test_no_argument_is_missing_and_defaults_agree(name: str) -> None:
    parameters = inspect.signature(reader_class(name)).parameters
    wrong = []
    for argument, facts in SPEC[name]["arguments"].items():
        ours = parameters.get(argument)
        if ours is None:
            wrong.append(f"{argument} is missing")
        elif {(name, argument), ("*", argument)} & set(DELIBERATE):
            continue
        elif (ours.default is inspect.Parameter.empty) != ("default" not in facts):
            wrong.append(f"{argument} is required in one of the two")
        elif "default" in facts:
            ours_said, theirs = in_words(ours.default), in_words(facts["default"])
            if ours_said != theirs:
                wrong.append(f"{argument} defaults to {ours_said!r} instead of {theirs!r}")
    assert wrong == []


def test_every_deviation_is_of_something_that_exists() -> None:
    known = {(name, argument) for name in SPEC for argument in SPEC[name]["arguments"]}
    known |= {("*", argument) for _, argument in known}
    assert sorted(set(DELIBERATE) - known) == []
