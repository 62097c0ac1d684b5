"""The graph of a pipeline under definition: its calls and sources, the names they get and its outputs."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.pipeline.definition.call_definition import Definition, Input
from penstock.pipeline.definition.scope import Scope


class PipelineDefinition:
    """What a pipeline consists of, as far as that is known without running it."""

    def __init__(self) -> None:
        self.scope = Scope()
        self.calls: list[Definition] = []
        self.outputs: list[Input] | None = None  # None until the pipeline is told, or asks `define_graph`

    @property
    def preserved(self) -> list[Definition]:
        """The calls that are made in every iteration, whether their results are used or not."""
        return [call for call in self.calls if call.preserve]

    def replace(self, calls: list[Definition], outputs: list[Input]) -> None:
        """Takes the calls and outputs of a definition that was read from a file."""
        self.calls, self.outputs = calls, outputs
        for call in calls:
            call.scope = self.scope


def check_names(definitions: Sequence[Definition]) -> None:
    """Refuses operators that could not be told from each other."""
    named: dict[str, Definition] = {}
    for definition in definitions:
        other = named.setdefault(definition.name, definition)
        if other is not definition:
            reason = "" if other.scope is definition.scope else "\nThey were not defined in one and the same pipeline."
            raise RuntimeError(
                "The pipeline is invalid because it contains operators with non-unique names:\n"
                f"{definition.name!r} at {other.site.describe()}\nand at {definition.site.describe()}{reason}"
            )


def check_scopes(definitions: Sequence[Definition], scope: Scope) -> None:
    """Refuses checkpoints where operators were defined elsewhere: their names differ from run to run."""
    others = [definition for definition in definitions if definition.scope is not scope]
    if others:
        raise RuntimeError(
            "The pipeline does not support checkpointing because it contains operator(s) that were defined outside the "
            f"pipeline scope:\n{[each.name for each in others]}\nThe first is at {others[0].site.describe()}\nDefine "
            "all operators in the function with `@pipeline_def`, in `define_graph`, or in `with pipeline:`."
        )
