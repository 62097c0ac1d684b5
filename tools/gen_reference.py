"""Reference pages of classes, functions and commands, drawn from their docstrings and arguments: docs/reference."""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import textwrap
from functools import cached_property
from typing import Any

from penstock import cli

# A page: its title, what it is for, and the names on it, as "module:name".
PAGES: dict[str, tuple[str, str, list[str]]] = {
    "tensor": ("Tensor", "One sample: an array with an element type, a layout and a device.", ["dynamic:Tensor"]),
    "batch": ("Batch", "Samples of one type and layout, whose shapes may differ.", ["dynamic:Batch"]),
    "making": (
        "Making, choosing, showing",
        "Functions that make Tensors and Batches, choose between them, read and show them.",
        [f"dynamic:{name}" for name in (
            "tensor", "as_tensor", "batch", "as_batch", "imread", "where", "maybe", "operator", "explain", "show",
            "save_sheet",
        )],
    ),
    "evaluation": (
        "Evaluation and threads",
        "When calls run, and on which threads.",
        ["dynamic:EvalMode", "dynamic:EvalContext", "dynamic:get_num_threads", "dynamic:set_num_threads"],
    ),
    "random": (
        "Random generators",
        "Seeds and generators; the random operators are in the list of operators.",
        ["dynamic.random:RNG", "dynamic.random:set_seed", "dynamic.random:get_default_rng"],
    ),
    "checkpoint": ("Checkpoint", "Stop a run, and go on at exactly the next sample.",
                   ["dynamic.checkpoint:Checkpoint", "dynamic.checkpoint:current"]),
    "capture": ("Compiled loops", "What `compile=True` captured, and values it need not compare.",
                ["dynamic.capture:report", "dynamic.capture:Report", "dynamic.capture:invariant"]),
    "reader": (
        "What all readers do",
        "The methods of every reader, what `next_epoch` returns, and resuming with another number of shards.",
        ["readers.core.reader:Reader", "readers.core.epoch:Epoch", "readers:reshard"],
    ),
    "profile": ("Profile and progress", "Where the time of a loop goes, and how long the rest will take.",
                ["dynamic:profile", "dynamic:progress"]),
    "sources": ("Data of your own", "Items that the program makes itself.", ["dynamic:ExternalSource"]),
    "storage": ("Storage", "How files and URLs are reached.", ["storage:Storage"]),
}  # fmt: skip
# Of these classes only some members are for users; of the others all that have no underscore are.
MEMBERS = {
    "Storage": [],
    "RNG": ["get_state", "set_state", "state", "clone", "advance", "seed"],
    "EvalContext": ["current", "default", "num_threads", "thread_pool", "device", "checkpoint", "evaluate_all"],
    "Reader": ["next_epoch", "read", "steps", "epoch", "errors", "get_state", "set_state", "state_dict",
               "load_state_dict"],
}  # fmt: skip
WRITTEN = "<!-- Written by `make gen` from {}: edit there. -->"


PROPERTIES = (property, cached_property)


def pages() -> dict[str, str]:
    """Texts of the pages, by file name."""
    made = {f"{name}.md": _page(*page) for name, page in PAGES.items()}
    made["cli.md"] = _commands()
    rows = [f"| [{title}]({name}.md) | {purpose} |" for name, (title, purpose, _) in PAGES.items()]
    rows += ["| [Commands](cli.md) | What `penstock` does on the command line. |"]
    head = [WRITTEN.format("tools/gen_reference.py"), "", "# Classes, functions and commands", "", "| | |", "|---|---|"]
    return made | {"index.md": "\n".join([*head, *rows, ""])}


def _page(title: str, purpose: str, names: list[str]) -> str:
    modules = dict.fromkeys(f"penstock.{name.partition(':')[0]}" for name in names)
    parts = [WRITTEN.format("the docstrings of " + ", ".join(modules)), f"# {title}", purpose]
    for name in names:
        module, _, attribute = name.partition(":")
        found = getattr(importlib.import_module(f"penstock.{module}"), attribute)
        shown = module.replace("dynamic", "ndd").replace("readers.core.", "ndd.readers.")
        shown = {"readers": "ndd.readers", "storage": "ndd.readers"}.get(module, shown)
        parts += _described(f"{shown}.{attribute}" if "core" not in module else attribute, found, 2)
        if inspect.isclass(found):
            parts += [part for member, value in _members(found) for part in _described(member, value, 3)]
    return "\n\n".join(parts) + "\n"


def _members(kind: type) -> list[tuple[str, Any]]:
    """Public methods and properties with a text, in the order in which they stand in the source; its own first."""
    found: dict[str, Any] = {}
    for each in kind.__mro__:
        if each.__module__.startswith("penstock"):
            found = {**found, **{name: value for name, value in vars(each).items() if name not in found}}
    shown = MEMBERS.get(kind.__name__, [name for name in found if not name.startswith("_")])
    return [(name, found[name]) for name in shown if name in found and _text(found[name])]


def _text(value: Any) -> str:
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if not (inspect.isroutine(value) or inspect.isclass(value) or isinstance(value, PROPERTIES)):
        return ""
    text = inspect.getdoc(value) or ""
    return "" if text.startswith("Reserved") else text


def _described(name: str, value: Any, level: int) -> list[str]:
    signature = "" if isinstance(value, PROPERTIES) else _signature(value)
    parts = [f"{'#' * level} {name}"]
    if signature:
        parts.append(f"```py\n{name.rpartition('.')[2] if level == 3 else name}{signature}\n```")
    return parts + _markdown(_text(value) or inspect.getdoc(value) or "")


def _signature(value: Any) -> str:
    """Names and defaults; types are in the stubs, and are spelt differently by every version of Python."""
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    try:
        parameters = [*inspect.signature(value).parameters.values()]
    except ValueError:
        return ""
    parameters = [each for each in parameters if each.name not in ("self", "cls") and not each.name.startswith("_")]
    if inspect.isclass(value) and not parameters:
        return ""
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    plain = [each if _is_plain(each.default) else each.replace(default=...) for each in plain]
    return _wrapped(str(inspect.Signature(plain)).replace("Ellipsis", "..."))


def _is_plain(default: Any) -> bool:
    return default is inspect.Parameter.empty or default is None or type(default) in (bool, int, float, str)


def _wrapped(text: str) -> str:
    if len(text) <= 60:
        return text
    return "(\n" + textwrap.fill(text[1:-1], 76, initial_indent="    ", subsequent_indent="    ") + "\n)"


def _markdown(text: str) -> list[str]:
    """A docstring as Markdown: examples as code, arguments as a table."""
    text, _, arguments = text.partition("\nArgs:\n")
    parts = []
    for block in re.split(r"\n\s*\n", text):
        if block.startswith("Example:\n"):
            block = inspect.cleandoc(block.partition("\n")[2])
        if block.startswith((">>>", "    ")):
            block = textwrap.dedent(block)
            shown = re.sub(r"^(?!>>>|\.\.\.)", "# ", block, flags=re.M) if block.startswith(">>>") else block
            parts.append("```py\n" + re.sub(r"^(>>>|\.\.\.) ?", "", shown, flags=re.M) + "\n```")
        elif block.strip():
            parts.append(re.sub(r"``(.+?)``", r"`\1`", " ".join(block.split())))
    rows = []
    for entry in re.split(r"\n(?=\S)", inspect.cleandoc(arguments)):
        name, _, said = entry.partition(":")
        if said:
            rows.append(f"| `{name}` | {' '.join(said.split()).replace('|', chr(92) + '|')} |")
    return [*parts, "\n".join(["| argument | |", "|---|---|", *rows])] if rows else parts


def _commands() -> str:
    parts = [WRITTEN.format("src/penstock/cli"), "# Commands", "`python -m penstock` is the same as `penstock`."]
    for name, purpose in cli.commands().items():
        parser = argparse.ArgumentParser(prog=f"penstock {name}")
        importlib.import_module(f"penstock.cli.{name}").arguments(parser)
        parts += [f"## penstock {name}", purpose[0].upper() + purpose[1:] + "."]
        rows = [_row(action) for action in parser._actions if not isinstance(action, argparse._HelpAction)]
        rows = [row for row in rows if row]
        if rows:
            parts.append("\n".join(["| argument | default | |", "|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def _row(action: argparse.Action) -> str:
    if action.help == argparse.SUPPRESS:
        return ""
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    named = ", ".join(action.option_strings) if action.option_strings else metavar
    if action.option_strings and action.nargs != 0:
        named += f" {metavar}"
    default = action.default
    told = "" if default in (None, False, argparse.SUPPRESS) or not action.option_strings else f"`{default}`"
    said = re.sub(r"\s*\(default: (%\(default\)s|[\w.]+)\)", "", action.help or "")
    cells = (f"`{named}`", told, said % vars(action) if "%(" in said else said)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
