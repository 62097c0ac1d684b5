"""Arguments in other places: the first calls of every operator with its arguments at the constructor of its class, at
the call of the class, and beside options that every operator takes."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from parity.cases.argument_forms import calls_of, is_data, piped

CALLS_OF_AN_OPERATOR = 2
OPTIONS_OF_ALL = "device='cpu', name='one', preserve=True, bytes_per_sample_hint=[16]"


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    dali, ops = importlib.import_module(library), importlib.import_module(f"{library}.ops")
    return {"constructed": partial(constructed, dali, ndd, ops), "called": partial(called, dali, ndd, ops)}


def class_of(ops: Any, path: str) -> Any:
    """The class of an operator: `decoders.image_crop` is `ops.decoders.ImageCrop`."""
    *modules, name = path.split(".")
    for module in modules:
        ops = getattr(ops, module)
    return getattr(ops, next(each for each in dir(ops) if each.lower() == name.replace("_", "")))


def constructed(dali: Any, ndd: Any, ops: Any, path: str, *given: Any, **named: Any) -> Any:
    """Constants at the constructor; what differs between samples is for the call."""
    constants = {name: value for name, value in named.items() if not is_data(value)}

    def operator(*nodes: Any, **more: Any) -> Any:
        return class_of(ops, path)(**constants)(*nodes, **more)

    return piped(dali, ndd, operator, *given, **{name: value for name, value in named.items() if is_data(value)})


def called(dali: Any, ndd: Any, ops: Any, path: str, *given: Any, **named: Any) -> Any:
    return piped(dali, ndd, lambda *nodes, **more: class_of(ops, path)()(*nodes, **more), *given, **named)


def cases(elsewhere: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first calls of every operator in the other cases, made in these ways."""
    made: dict[tuple[str, str], dict[str, Any]] = {}
    seen: dict[str, int] = {}
    for path, given, case in written(elsewhere):
        seen[path] = seen.get(path, 0) + 1
        if seen[path] <= CALLS_OF_AN_OPERATOR:
            calls = made.setdefault((path, case["operator"]), case | {"calls": []})["calls"]
            calls += [f"{way}('{path}', {given})" for way in ("constructed", "called")]
            calls.append(f"piped(fn.{path}, {', '.join(filter(None, (given, OPTIONS_OF_ALL)))})")
    return [*made.values()]


def written(elsewhere: list[dict[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Operators and what they are given in calls that can be made in a pipeline."""
    for path, sample in calls_of(elsewhere):
        given = ", ".join(ast.unparse(each) for each in (*sample.call.args, *sample.call.keywords))
        if sample.call.keywords and "batch_size=" not in given and "rng=" not in given:
            yield path, given, sample.case
