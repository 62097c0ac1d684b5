"""The index, the stubs and the reference pages of the readers."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

from declared import default_text

import penstock.readers
from penstock.readers.core.reader import Reader

NOT_READERS = ("BadSample", "Reader", "Storage", "reshard")


def find_readers() -> dict[str, str]:
    """Modules below penstock.readers by the public class there that says where its samples come from."""
    found = {}
    for module in pkgutil.walk_packages(penstock.readers.__path__, "penstock.readers."):
        for name, value in vars(importlib.import_module(module.name)).items():
            is_own = isinstance(value, type) and issubclass(value, Reader) and value.__module__ == module.name
            if is_own and "_open_source" in vars(value) and value is not Reader and not name.startswith("_"):
                found[name] = module.name.removeprefix("penstock.readers.")
    return dict(sorted(found.items()))


def index_text(readers: dict[str, str]) -> str:
    lines = [f'    "{name}": "{module}",' for name, module in readers.items()]
    head = ['"""Where each reader is. Written by tools/gen.py."""', "", "READERS: dict[str, str] = {"]
    return "\n".join([*head, *lines, "}", ""])


def names_stub(readers: dict[str, str]) -> str:
    """The readers as penstock.readers has them."""
    lines = [f"from penstock.readers.{module} import {name} as {name}" for name, module in readers.items()]
    return "\n".join(['"""The readers by name. Written by tools/gen.py; not there at run time."""', "", *lines, ""])


def ndd_stub(readers: dict[str, str], written: set[str]) -> str:
    """The readers of ndd but those that are written there."""
    head = (
        '"""The readers of ndd. Written by tools/gen.py; not there at run time."""\n\n'
        "from penstock import readers as _readers\nfrom penstock.dynamic.readers import Reader as _Reader\n"
    )
    return head + "".join(f"\nclass {name}(_readers.{name}, _Reader): ...\n" for name in readers if name not in written)


def pages() -> dict[str, str]:
    """Texts of docs/readers by file name."""
    import penstock.dynamic as ndd

    names = [name for name in ndd.readers.__all__ if name not in NOT_READERS]
    texts = {f"{name}.md": _page(name, getattr(ndd.readers, name)) for name in names}
    rows = [f"| [readers.{name}]({name}.md) | {_summary(getattr(ndd.readers, name))} |" for name in names]
    head = "<!-- Written by `make gen` from src/penstock/readers: edit there. -->\n\n# Readers\n\n| | |\n|---|---|"
    return texts | {"index.md": "\n".join([head, *rows, ""])}


def _summary(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())


def _page(name: str, kind: type) -> str:
    description, _, listed = (inspect.getdoc(kind) or "").partition("\nArgs:\n")
    text, _, example = description.partition("\nExample:\n")
    written = next(each.__module__ for each in kind.__mro__ if each.__module__ != "penstock.dynamic.readers")
    file = f"src/{written.replace('.', '/')}.py"
    shown = [f"<!-- Written by `make gen` from {file}: edit there. -->", f"# readers.{name}", text.strip()]
    if example:
        lines = [re.sub(r"^(>>>|\.\.\.) ?", "", line) for line in inspect.cleandoc(example).splitlines()]
        shown.append("```python\n" + "\n".join(lines) + "\n```")
    rows = []
    parameters = inspect.signature(kind).parameters
    for entry in re.split(r"\n(?=\S)", inspect.cleandoc(listed)):
        argument, _, words = entry.partition(":")
        if argument in parameters:
            default = parameters[argument].default
            told = "required" if default is inspect.Parameter.empty else f"`{default_text(default)}`"
            meaning = " ".join(words.split()).replace("|", "\\|")
            rows.append(f"| `{argument}` | {told} | {meaning} |")
    shown.append("\n".join(["## Arguments", "", "| name | default | |", "|---|---|---|", *rows]))
    return "\n\n".join(shown) + "\n"
