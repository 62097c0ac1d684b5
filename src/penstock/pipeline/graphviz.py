"""The graph of a pipeline in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.pipeline.definition.call_definition import Definition, Input
from penstock.pipeline.definition.data_node import DataNode
from penstock.schema.operator import Operator


def dot(definitions: Sequence[Definition], outputs: Sequence[Input], tensors: bool, colors: bool) -> str:
    """A directed graph from sources to outputs. With `tensors`, results are drawn as boxes between the calls."""
    lines = ["digraph pipeline {"]
    for definition in definitions:
        color = ' style=filled fillcolor="%s"' % ("lightblue" if isinstance(definition.what, Operator) else "lightgrey")
        lines.append(f"  {_quoted(definition.name)}[label={_quoted(definition.path)}{color if colors else ''}];")
        if tensors:
            for node in definition.outputs:
                box = _quoted(_tensor(node))
                lines += [f"  {box}[shape=box];", f"  {_quoted(definition.name)} -> {box}[label={node.index}];"]
        taken = [value for value in (*definition.inputs, *definition.keywords.values()) if isinstance(value, DataNode)]
        lines += [f"  {_source(node, tensors)} -> {_quoted(definition.name)};" for node in taken]
    for place, output in enumerate(outputs):
        lines.append(f'  "output {place}"[shape=plaintext];')
        if isinstance(output, DataNode):
            lines.append(f'  {_source(output, tensors)} -> "output {place}";')
    return "\n".join([*lines, "}", ""])


def _source(node: DataNode, tensors: bool) -> str:
    assert node.source is not None
    return _quoted(_tensor(node) if tensors else node.source.name)


def _tensor(node: DataNode) -> str:
    assert node.source is not None
    return f"{node.source.name} result {node.index}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
