"""Arguments in other forms, in dynamic mode and in pipelines.

For every argument of an operator, the first call of the other families that gives it as a literal is made again with
the value as None, a scalar, list or tuple, and, where it may differ between samples, an array, Tensor or Batch, and
with the documented default. An argument no call
gives joins the operator's first call as its default and as None. `piped` makes a call in a pipeline: Tensors and
Batches are fed to it by sources. `per_sample` gives every sample of an input the same value.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

SPEC = json.loads((Path(__file__).resolve().parents[2] / "ops/spec_data.json").read_text())
OPTIONS = {"num_threads": 1, "device_id": None, "seed": 5}
# The family's tolerance is for results of another type or rate.
LOOSER = {
    ("decoders.audio", "quality"): {"within": 1e-6},
    ("decoders.audio", "sample_rate"): {"within": 1e-6},
    ("filter", "dtype"): {"within": 1},
    ("normalize", "dtype"): {"within": 1e-4},
    ("random_bbox_crop", "aspect_ratio"): {"within": 1e-6},
    ("warp_affine", "dtype"): {"within": 1, "share": 0.999},
}
# Calls that have a line in docs/differences.md, some of which DALI does not survive; resampling of a signal to hours.
LEFT_OUT = re.compile(
    r"""lookup_table.*keys=\[\] | paste.*n_channels= | dump_image
    | debayer.*blue_position=0 | normalize.*axes=\[0,\ 1,\ 1\]
    | reductions\.(variance|std_dev).*mean\(.*(axes|axis_names)=None | multi_paste.*in_ids=lists
    | crop_mirror_normalize.*fill_values=.*mean=(\[0\.0\]|None) | decoders\.audio.*sample_rate=0
    | audio_resample.*(out_length=(ndd|per_sample)|in_rate=1$)
    | power_spectrum.*nfft=1$ | bbox_rotate.*remove_threshold=1$
    | save_attrs=False | size=\[\] | total_num_attempts=-1 | image_slice.*axes=.*axis_names='WH'
    | bbox_rotate.*sized_boxes.*bbox_layout=('xyXY'|None)
    | (squeeze|normalize|reshape|reinterpret|permute_batch).*(axes|mean|stddev|src_dims|indices|shape)=
      (2$|\[?\*?(np|ndd|per_sample)\b)
    | warp_affine.*matrix=\[?\*?(np|ndd|per_sample)\b""",
    re.VERBOSE,
)


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    dali, fn = importlib.import_module(library), importlib.import_module(f"{library}.fn")
    return {"piped": partial(piped, dali, ndd), "per_sample": partial(per_sample, ndd), "fn": fn, "np": np}


def is_data(value: Any) -> bool:
    return type(value).__name__ in ("Tensor", "Batch")


def size_of(*given: Any) -> int | None:
    """The number of samples of the first Batch."""
    return next((value.batch_size for value in given if type(value).__name__ == "Batch"), None)


def per_sample(ndd: Any, data: Any, value: Any) -> Any:
    samples = size_of(data)
    return ndd.tensor(value) if samples is None else ndd.batch([value] * samples)


def piped(dali: Any, ndd: Any, operator: Any, *given: Any, **named: Any) -> Any:
    samples = size_of(*given, *named.values()) or 2

    def node(value: Any) -> Any:
        if not is_data(value):
            return value
        is_batch = type(value).__name__ == "Batch"
        arrays = [np.asarray(each) for each in (value if is_batch else [value] * samples)]
        return dali.fn.external_source(lambda: arrays, layout=value.layout or None)

    def graph() -> Any:
        made = operator(*map(node, given), **{name: node(value) for name, value in named.items()})
        return tuple(made) if isinstance(made, list) else made

    outputs = dali.pipeline_def(batch_size=samples, **OPTIONS)(graph)().run()
    return tuple(ndd.batch(output) for output in outputs)


class Sample(NamedTuple):
    """A call of an operator in another family."""

    case: dict[str, Any]
    call: ast.Call


def calls_of(written: list[dict[str, Any]]) -> Iterator[tuple[str, Sample]]:
    """Calls by operator; those that are nothing but the call, and mean to agree."""
    for case in written:
        for source in case["calls"] if "deliberate" not in case else ():
            call = ast.parse(source, mode="eval").body
            path = ast.unparse(call.func).removeprefix("ndd.") if isinstance(call, ast.Call) else ""
            if path in SPEC and not SPEC[path].get("gpu_only"):
                yield path, Sample({"inputs": case["family"]} | case, call)


def default_of(argument: dict[str, Any]) -> list[str]:
    """The documented default, where there is one."""
    if argument.get("default") is None:
        return []
    return [f"T.{argument['default']}" if argument["type"].startswith("enum") else repr(argument["default"])]


def forms(value: ast.expr, argument: dict[str, Any], data: str) -> list[str]:
    """Other ways to write a value; `data` is the input whose samples count."""
    try:
        literal = ast.literal_eval(value)
    except ValueError:
        return []
    if literal is None or isinstance(literal, str):
        return []
    if isinstance(literal, (list, tuple)):
        if not literal or isinstance(literal[0], (str, list, tuple)):
            return [repr(tuple(literal)), repr(list(literal))]
        given = [repr(tuple(literal)), repr(list(literal)), f"[*np.float32({list(literal)})]", repr(literal[0])]
        given += [repr([float(each) for each in literal]), repr([*literal, literal[-1]])]
        as_array = f"np.array({list(literal)}, np.{'float32' if 'float' in argument['type'] else 'int32'})"
    else:
        given = [f"np.float32({literal})", repr(float(literal)), f"{'-' * (literal < 0)}1" if literal else "0"]
        given += [f"np.int64({literal})", repr(int(literal))] if literal == int(literal) else []
        as_array = ""
    if not argument.get("per_sample"):
        return given
    given += [as_array] if as_array else []
    typed = literal if "float" not in argument["type"] else np.array(literal, float).tolist()  # as the argument is
    return [*given, f"ndd.tensor({typed})", *([f"per_sample({data}, {typed})"] if data else [])]


def varied(path: str, samples: list[Sample]) -> Iterator[tuple[Sample, str]]:
    """The calls of one operator, as they are and with each argument in its other forms."""
    arguments = SPEC[path].get("arguments", {})
    for name, argument in arguments.items():
        sample, value = next(
            ((sample, keyword.value) for sample in samples for keyword in sample.call.keywords if keyword.arg == name),
            (samples[0], None),
        )
        call = sample.call
        data = ast.unparse(call.args[0]) if call.args else ""
        others = [ast.unparse(each) for each in call.args]
        others += [ast.unparse(keyword) for keyword in call.keywords if keyword.arg != name]
        written = [] if value is None else [ast.unparse(value), *forms(value, argument, data)]
        unset = ["None"] if "default" in argument else []
        sample = sample._replace(case=sample.case | LOOSER.get((path, name), {}))
        for form in dict.fromkeys([*written, *default_of(argument), *unset]):
            if not LEFT_OUT.search(f"{path} {', '.join(others)}, {name}={form}"):
                yield sample, ", ".join([*others, f"{name}={form}"])


def cases(written: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The calls of the other cases with each argument in its other forms."""
    by_operator: dict[str, list[Sample]] = {}
    for path, sample in calls_of(written):
        by_operator.setdefault(path, []).append(sample)
    made: dict[tuple[Any, ...], dict[str, Any]] = {}
    for path, samples in by_operator.items():
        for sample, given in varied(path, samples):
            key = (path, *(sample.case.get(name) for name in ("operator", "within", "share", "snr")))
            case = made.setdefault(key, sample.case | {"calls": []})
            case["calls"].append(f"ndd.{path}({given})")
            if "batch_size=" not in given and "rng=" not in given:
                case["calls"].append(f"piped(fn.{path}, {given})")
    return [case | {"calls": list(dict.fromkeys(case["calls"]))} for case in made.values()]
