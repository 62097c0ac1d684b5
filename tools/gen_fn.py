"""Stubs of fn, ops and math, whose contents are made as programs use them, and of `nvidia.dali`, which leads there."""

from __future__ import annotations

from collections.abc import Iterator

from declared import Declared, default_text, result_count, type_text
from gen_stubs import NAMESPACES, stub_name

from penstock.compat.aliases import ALIASES, DALI, NDD
from penstock.pipeline.functions.namespace import function_paths
from penstock.schema.class_names import class_path
from penstock.schema.operator import Operator
from penstock.schema.params import Param
from penstock.values.dtypes import NUMERIC, bool_

FUNCTIONS = '''"""The contents of {title}. Written by tools/gen.py."""

from collections.abc import Sequence
from typing import Any, Literal

from penstock.dynamic._signatures import Array, ArrayLike, DTypeLike
from penstock.pipeline.definition.data_node import DataNode
from penstock.storage import Storage
from penstock.values.dtypes import {dtypes}
from penstock.values.enums import ImageType, InterpType
'''
CLASSES = '''"""The contents of {title}. Written by tools/gen.py."""

from penstock.pipeline.functions.op_classes import Compose as Compose
from penstock.pipeline.functions.op_classes import OperatorObject
'''
VIEW = '"""Written by tools/gen.py."""\n'
STUBS = "nvidia-stubs.dali"  # as type checkers call the package of stubs for another
OF_NODES = {"device": "str", "name": "str", "preserve": "bool"}
OF_PACKAGES = {
    "auto_aug": ("augmentations", "auto_augment", "core", "rand_augment", "trivial_augment"),
    "plugin": ("base_iterator", "jax", "jax.clu", "jax.fn", "numba", "numba.experimental", "numba.fn",
               "numba.fn.experimental", "pytorch", "pytorch.experimental", "pytorch.experimental.proxy", "pytorch.fn",
               "pytorch.loader_evaluator", "triton"),
}  # fmt: skip


def stubs(operators: dict[str, Declared]) -> dict[str, str]:
    """Texts of the stubs by their paths below src/penstock."""
    paths = function_paths()
    functions = {path: _function(path, operators.get(path)) for path in paths}
    classes = {
        class_path(path): f"class {class_path(path.rpartition('.')[2])}(OperatorObject): ...\n" for path in paths
    }
    numbers = [_function(path, declared) for path, declared in operators.items() if path.startswith("math.")]
    fn = _package("penstock.fn", FUNCTIONS, functions)
    ops = _package("penstock.pipeline.ops", CLASSES, classes)
    views = {name.replace("penstock.pipeline", DALI).replace("penstock", DALI): [name] for name in (*fn, *ops)}
    return {
        **_files("", {**fn, **ops, "penstock.math": "\n".join([_head(FUNCTIONS, "math"), *numbers])}),
        **_files("../", {name.replace(DALI, STUBS, 1): text for name, text in _views(views).items()}),
        "../nvidia-stubs/__init__.pyi": VIEW,  # mypy looks for a folder called nvidia without it
        "../nvidia-stubs/py.typed": "partial\n",  # other libraries may be below nvidia
    }


def _head(head: str, title: str) -> str:
    return head.format(title=title, dtypes=", ".join(each.storage.name for each in NUMERIC if each != bool_))


def _files(folder: str, modules: dict[str, str]) -> dict[str, str]:
    """The stubs of modules by their paths."""
    packages = {name.rpartition(".")[0] for name in modules}
    ends = {name: "/__init__.pyi" if name in packages else ".pyi" for name in modules}
    return {
        folder + name.removeprefix("penstock.").replace(".", "/") + ends[name]: text for name, text in modules.items()
    }


def _package(package: str, head: str, contents: dict[str, str]) -> dict[str, str]:
    """The stub of a package and of each module below it, by name."""
    inside: dict[str, list[str]] = {package: []}
    below: dict[str, list[str]] = {package: []}
    for path, text in contents.items():
        module = package
        for part in path.split(".")[:-1]:
            if f"{module}.{part}" not in inside:
                below[module].append(f"from {module} import {part} as {part}\n")
            module = f"{module}.{part}"
            inside.setdefault(module, [])
            below.setdefault(module, [])
        inside[module].append(text)
    return {
        module: "\n".join([_head(head, module) + "".join(sorted(below[module])), *texts])
        for module, texts in inside.items()
    }


def _function(path: str, declared: Declared | None) -> str:
    name = path.rpartition(".")[2]
    if declared is None:
        return f"def {name}(*inputs: Any, **arguments: Any) -> Any: ...\n"
    shown = ", ".join([*_inputs(declared.op), *_arguments(declared.op)])
    count = result_count(declared.op)
    return f"def {name}({shown}) -> {'DataNode' if count == 1 else 'Any'}: ...\n"


def _inputs(op: Operator) -> Iterator[str]:
    for position, name in enumerate(op.inputs):
        yield f"{name}: Any" + " = None" * (position >= op.min_inputs)
    if op.inputs:
        yield "/"
    yield "*inputs: Any" if op.variadic else "*"


def _arguments(op: Operator) -> Iterator[str]:
    for param in op.params.values():
        yield _argument(param)
    if op.draw is not None:
        yield "seed: int | None = None"
    yield from (f"{name}: {kind} | None = None" for name, kind in OF_NODES.items() if name not in op.params)


def _argument(param: Param) -> str:
    accepted = type_text(param) + " | Array" * param.is_list + " | DataNode" * param.per_sample
    if param.required:
        return f"{param.name}: {accepted}"
    return f"{param.name}: {accepted} | None = {default_text(param.default, member='{}.')}"


def _views(views: dict[str, list[str]]) -> dict[str, str]:
    """What leads from the modules of DALI to those of penstock, by name."""
    for name, place in ALIASES.items():
        if name:
            views.setdefault(f"{DALI}.{name}", [place])
    for package, modules in OF_PACKAGES.items():
        views |= {f"{DALI}.{package}.{each}": [f"penstock.{package}.{each}"] for each in modules}
    for each in (
        "_conditionals",
        "backend",
        "experimental",
        "pickling",
        "pipeline",
        "pipeline.experimental",
        "plugin_manager",
    ):
        views[f"{DALI}.{each}"] = [f"penstock.compat.dali.{each}"]
    for each in NAMESPACES:
        below = f".{each}" if each else ""
        views[f"{DALI}.{NDD}{below}"] = [f"penstock.dynamic{below}", f"penstock.dynamic._signatures.{stub_name(each)}"]
    for each in ("checkpoint", "experimental.readers", "io", "readers"):
        views[f"{DALI}.{NDD}.{each}"] = [f"penstock.dynamic.{each}"]
    views |= {
        name.replace(f"{DALI}.{NDD}", f"{DALI}.dynamic", 1): places
        for name, places in views.items()
        if f"{name}.".startswith(f"{DALI}.{NDD}.")
    }
    texts = {
        name: f"{VIEW}\n" + "".join(f"from {place} import *\n" for place in places) for name, places in views.items()
    }
    return {DALI: f"{VIEW}\n{_package_view()}", **texts}


def _package_view() -> str:
    modules = ("backend", "fn", "math", "ops", "pipeline", "tensors", "tfrecord", "types")
    names = ("DataNode", "Pipeline", "pipeline_def")
    lines = [f"from nvidia.dali import {each} as {each}" for each in modules]
    lines += [f"from nvidia.dali.pipeline import {each} as {each}" for each in names]
    lines += ["from penstock.pipeline.options import OperatorConcurrency as OperatorConcurrency"]
    lines += ["from penstock.pipeline.options import StreamPolicy as StreamPolicy"]
    lines += ["from penstock.pipeline.definition.data_node import newaxis as newaxis", "", "__version__: str", ""]
    return "\n".join(lines)
