"""The definition of a pipeline as JSON: Pipeline.serialize and Pipeline.deserialize."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from penstock.engine.site import here
from penstock.ops.declaration import OPERATORS, declaration
from penstock.pipeline.conditionals.branches import Branch
from penstock.pipeline.conditionals.conditional import Conditional
from penstock.pipeline.definition.call_definition import Definition, Fixed, Input, serving
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.functions.reader_functions import reader_kind
from penstock.pipeline.functions.video_input import VideoInput
from penstock.pipeline.serialization.json_values import from_json, to_json
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput
from penstock.pipeline.sources.feed_source import ExternalSource, FeedSource
from penstock.pipeline.sources.source import ReaderSource
from penstock.schema.operator import Operator

_FORMAT, _VERSION = "penstock pipeline", 1


def serialize(options: dict[str, Any], outputs: Sequence[Input], preserved: Sequence[Definition]) -> bytes:
    """RuntimeError for operators that call a function of the program, which cannot be written."""
    writer = _Writer(serving(outputs, preserved))
    saved = {
        "format": _FORMAT,
        "version": _VERSION,
        "options": to_json(options),
        "definitions": [writer.definition(each) for each in writer.definitions],
        "conditionals": [[writer.value(each.predicate), writer.branch(each.outer)] for each in writer.conditionals],
        "outputs": [writer.value(each) for each in outputs],
    }
    return json.dumps(saved, separators=(",", ":")).encode()


class _Writer:
    def __init__(self, definitions: list[Definition]) -> None:
        self.definitions = [each for each in definitions if not isinstance(each.what, Fixed)]
        self._places = {definition: k for k, definition in enumerate(self.definitions)}
        self.conditionals: list[Conditional] = []
        for definition in definitions:
            self._note(definition.branch)

    def _note(self, branch: Branch | None) -> None:
        if branch is not None and branch.conditional not in self.conditionals:
            self._note(branch.conditional.outer)
            self.conditionals.append(branch.conditional)

    def definition(self, definition: Definition) -> dict[str, Any]:
        return {
            "name": definition.name,
            "count": len(definition.outputs),
            "device": definition.device,
            "seed": definition.given_seed,
            "preserve": definition.preserve,
            "branch": self.branch(definition.branch),
            "inputs": [self.value(each) for each in definition.inputs],
            "keywords": [[name, self.value(each)] for name, each in definition.keywords.items()],
            **self._what(definition),
        }

    def _what(self, definition: Definition) -> dict[str, Any]:
        what = definition.what
        if isinstance(what, ReaderSource):
            return {"reader": definition.path, "arguments": to_json(what.arguments)}
        if isinstance(what, VideoInput):
            return {"video_input": what.arguments}
        if isinstance(what, ExternalSource):  # a callback stays behind: its data is to be fed
            return {"fed": [to_json(tuple(each)) for each in what.declared]}
        assert isinstance(what, Operator)
        if definition.path not in OPERATORS or declaration(definition.path) is not what:
            raise RuntimeError(
                f"Could not serialize the operator `{definition.path}`, defined at {definition.site.describe()}: it "
                "calls a function of the program"
            )
        splits = [k for k, each in enumerate(self.conditionals) if each.makes(definition)]
        return {"operator": definition.path, **({"splits": splits[0]} if splits else {})}

    def value(self, value: Any) -> Any:
        if isinstance(value, DataNode):
            assert value.source is not None
            if isinstance(value.source.what, Fixed):
                return to_json(value.source.what.samples)
            return {"node": [self._places[value.source], value.index, value.device]}
        return to_json(value)

    def branch(self, branch: Branch | None) -> Any:
        return None if branch is None else [self.conditionals.index(branch.conditional), branch.side]


class DeserializedPipeline:
    """Options, calls and outputs of a text that `serialize` wrote; RuntimeError for anything else."""

    def __init__(self, text: bytes | str) -> None:
        try:
            saved = json.loads(text)
            if saved["format"] != _FORMAT or saved["version"] != _VERSION:
                raise ValueError(f"it is of version {saved['version']}, this is version {_VERSION}")
            self.options: dict[str, Any] = from_json(saved["options"])
            self._conditionals: list[Conditional | None] = [None] * len(saved["conditionals"])
            self._saved_conditionals = saved["conditionals"]
            self.definitions: list[Definition] = []
            for each in saved["definitions"]:
                self.definitions.append(self._definition(each))
            self.outputs: list[Input] = [self._value(each) for each in saved["outputs"]]
        except RuntimeError:
            raise
        except Exception as error:
            raise RuntimeError(f"Error parsing serialized pipeline: {type(error).__name__}: {error}") from None

    def _definition(self, saved: dict[str, Any]) -> Definition:
        made = Definition(self._what(saved), saved["name"], here(), saved["count"], saved.get("device", "cpu"))
        made.takes_seed = made.takes_seed or "reader" in saved
        made.take_seed(saved["seed"])
        made.preserve = saved["preserve"]
        if isinstance(made.what, ReaderSource) and made.seed is not None:
            made.what.take_seed(made.seed)
        made.inputs = [self._value(each) for each in saved["inputs"]]
        made.keywords = {name: self._value(each) for name, each in saved["keywords"]}
        made.branch = self._branch(saved["branch"])
        if "splits" in saved:
            self._conditional(saved["splits"]).adopt(made)
        return made

    def _what(self, saved: dict[str, Any]) -> Any:
        if "reader" in saved:
            path = saved["reader"]
            return ReaderSource(path, reader_kind(path), from_json(saved["arguments"]))
        if "video_input" in saved:
            return VideoInput(**saved["video_input"])
        if "fed" in saved:
            return FeedSource([DeclaredInput(*from_json(each)) for each in saved["fed"]])
        return declaration(saved["operator"])

    def _conditional(self, k: int) -> Conditional:
        found = self._conditionals[k]
        if found is None:
            predicate, outer = self._saved_conditionals[k]
            found = self._conditionals[k] = Conditional(self._value(predicate), self._branch(outer))
        return found

    def _branch(self, saved: list[int] | None) -> Branch | None:
        if saved is None:
            return None
        conditional = self._conditional(saved[0])
        return (conditional.yes, conditional.no)[saved[1]]

    def _value(self, saved: Any) -> Any:
        if isinstance(saved, dict) and "node" in saved:
            place, index, *device = saved["node"]
            return self.definitions[place].outputs[index]._on(*(device or ["cpu"]))
        return from_json(saved)
