"""The readers that are here take all the arguments of DALI's, with their defaults.

What must be there is in spec_data.json, written by tools/read_spec.py.
"""

from __future__ import annotations

import enum
import inspect
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import fn, types
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
    **{
        ("readers.VideoResize", f"resize_{edge}"): "unset and 0 differ: 0 goes by the other edges"
        for edge in ("longer", "shorter", "x", "y", "z")
    },
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


NO_READERS = ("BadSample", "Reader", "Storage", "reshard")
OF_DALI = {"get_metadata", "get_state", "next_epoch", "set_state"}
OWN = {"enable_checkpointing", "epoch", "load_state_dict", "read", "set_epoch", "shard", "state_dict", "steps"}
OWN_OF = {"File": {"class_to_idx", "classes"}, "Zip": {"class_to_idx", "classes"}}


@pytest.mark.parametrize("name", [each for each in ndd.readers.__all__ if each not in NO_READERS])
def test_a_reader_has_the_public_members_of_dali_and_a_few_more(name):
    members = {member for member in dir(getattr(ndd.readers, name)) if not member.startswith("_")}
    assert members == OF_DALI | OWN | OWN_OF.get(name, set())


@pytest.mark.parametrize("arguments", [{}, {"stick_to_shard": True}])
def test_readers_of_archives_take_both_ways_to_shuffle(tmp_path, arguments):
    tar = tmp_path / "one.tar"
    with tarfile.open(tar, "w") as archive:
        for number in range(6):
            member = tarfile.TarInfo(f"{number}.cls")
            member.size = 1
            archive.addfile(member, io.BytesIO(b"%d" % number))
    options = {"random_shuffle": True, "shuffle_after_epoch": True, **arguments}
    archives = ndd.readers.Webdataset(paths=tar, ext="cls", **options)
    if arguments:
        with pytest.raises(RuntimeError, match="shuffle_after_epoch and stick_to_shard cannot be both true"):
            next(archives.next_epoch())
        return
    assert sorted(bytes(np.asarray(each)) for (each,) in archives.next_epoch()) == [b"%d" % k for k in range(6)]
    with pytest.raises(RuntimeError, match="shuffle_after_epoch and random_shuffle cannot be both true"):
        next(ndd.readers.File(files=[tar], **options).next_epoch())


def test_a_type_that_no_tensor_has_is_refused():
    with pytest.raises(RuntimeError, match="Unsupported output dtype STRING; all integers and float16 to float64 are"):
        ndd.readers.Webdataset(paths="one.tar", ext="cls", dtypes=types.STRING)
    with pytest.raises(RuntimeError, match="Unsupported output dtype STRING"):
        fn.readers.webdataset(paths="one.tar", ext="cls", dtypes=[types.STRING])
