"""The operators of pipelines by the names of their schemas, as `nvidia.dali.backend` and `.ops` list them."""

from __future__ import annotations

from typing import Any

from penstock.compat.dali.backend.schemas import GetSchema, OpSchema, schema_names
from penstock.pipeline.functions.op_classes import make_class

_added: dict[str, set[str]] = {"cpu": set(), "gpu": set()}


def RegisteredCPUOps(internal_ops: bool = False) -> list[str]:  # noqa: N802
    """Those that run on a CPU."""
    return [name for name in schema_names() if "cpu" in GetSchema(name).GetSupportedBackends()]


def RegisteredGPUOps(internal_ops: bool = False) -> list[str]:  # noqa: N802
    """Those that ask for a GPU."""
    return [name for name in schema_names() if "gpu" in GetSchema(name).GetSupportedBackends()]


def RegisteredMixedOps(internal_ops: bool = False) -> list[str]:  # noqa: N802
    """Those that take data of a CPU to a GPU: none does only that."""
    return []


def GetSchemaAndTarget(name: str) -> tuple[OpSchema, OpSchema]:  # noqa: N802
    """The schema of an operator, and that of the operator it is another name of, or the same."""
    schema = GetSchema(name)
    return schema, GetSchema(schema.AliasFor() or name)


def cpu_ops() -> set[str]:
    """As `RegisteredCPUOps`, and what was registered since."""
    return {*RegisteredCPUOps(), *_added["cpu"]}


def gpu_ops() -> set[str]:
    """As `RegisteredGPUOps`, and what was registered since."""
    return {*RegisteredGPUOps(), *_added["gpu"]}


def mixed_ops() -> set[str]:
    return {*RegisteredMixedOps()}


def register_cpu_op(name: str) -> None:
    """Has `cpu_ops` list a name."""
    _added["cpu"].add(name)


def register_gpu_op(name: str) -> None:
    """Has `gpu_ops` list a name."""
    _added["gpu"].add(name)


def python_op_factory(
    name: str, schema_name: str, internal_schema_name: str | None = None, generated: bool = True
) -> type[Any]:
    """The class of an operator by its schema, as `ops` has it."""
    return make_class((internal_schema_name or schema_name).replace("__", "."))


def Reload() -> None:  # noqa: N802
    """Nothing is left to be done: there are no libraries of operators to load."""
