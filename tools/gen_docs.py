"""Reference pages of the operators: docs/ops."""

from __future__ import annotations

import textwrap

from declared import Declared, Doc, default_text, is_code, is_public, read_doc, result_count, type_text

from penstock.cli.gallery import entry_text, shown_by
from penstock.engine.backends.gpu import has_kernel
from penstock.ops.families import families, title_of
from penstock.schema.operator import Operator

ALWAYS = {
    "rng": "The generator to draw from; the thread's default one if not given.",
    "on_error": (
        'What becomes of samples that cannot be made: "raise" (the default) an error; "replace" them by black images, '
        'silence, zeros; "skip" them, and have the places of the others as one more result; or a function that is '
        "given a `BadSample` and the data, and returns the sample to take instead, or None for a black one."
    ),
    "errors": "A list to which a `BadSample` (index, source, error) is added for each of them as the batch is made.",
    "batch_size": "Makes a Batch of so many samples out of inputs that are not batches.",
    "device": 'Where it runs: "cpu" or "gpu"; where its inputs are if not told.',
}

_ON_CPU_ALONE = 'Where it runs: "cpu".'

_LEGEND = (
    "The plain function, in NumPy on one sample, is the meaning of an operator; the others are held to it. The native "
    "one is in C++. On a GPU there is a function in *torch*; or the data is seen in another way or handed on *as "
    "stored*; or the CPU makes or draws it and it is uploaded; or it is done *by the CPU*, where the data go and come "
    "back from; or *any data* will do, since no element is read. Some run there *never* or *not yet*, and say so at "
    "the call. How these were tested is in [GPUs](../guides/gpu.md)."
)


def pages(operators: dict[str, Declared]) -> dict[str, str]:
    """Texts of the pages, by file name."""
    public = {path: each for path, each in operators.items() if is_public(path) and not each.is_older_name}
    texts = {f"{path}.md": _page(declared) for path, declared in public.items()}
    return texts | {"index.md": _index(public)}


def _index(public: dict[str, Declared]) -> str:
    lines = ["<!-- Written by `make gen` from src/penstock/ops: edit there. -->", "", "# Operators", ""]
    lines += textwrap.wrap(_LEGEND, 120)
    for family in dict.fromkeys([*(family for family, _ in families()), *(each.family for each in public.values())]):
        members = {path: declared.op for path, declared in public.items() if declared.family == family}
        if members:
            rows = [
                f"| [{path}]({path}.md) | {_cell(read_doc(op).summary)} | {' | '.join(_kernels(op))} |"
                for path, op in members.items()
            ]
            lines += ["", f"## {title_of(family)}", "", "| | | plain | native | GPU |", "|---|---|---|---|---|", *rows]
    return "\n".join([*lines, ""])


def _kernels(op: Operator) -> tuple[str, str, str]:
    """Which functions an operator has: its meaning, the native one, and what accelerators are given."""
    native = op.native_step is not None or op.on_storage is not None
    return "yes" if not op.needs_gpu else "", "yes" if native else "", _on_gpu(op)


def _on_gpu(op: Operator) -> str:
    if op.gpu_function is not None:
        return "torch"
    if op.stored_anywhere:
        return "as stored"
    if op.by_cpu:
        return "by the CPU"
    if op.runs_on == "mixed":
        return "made by the CPU"
    if has_kernel(op):
        return "drawn by the CPU" if op.draw else "any data"
    return "never" if op.runs_on == "cpu" else "not yet"


def _page(declared: Declared) -> str:
    op = declared.op
    doc = read_doc(op)
    file = f"src/{declared.where.partition(':')[0].replace('.', '/')}.py"
    blocks = [f"```python\n{textwrap.dedent(block)}\n```" if is_code(block) else block for block in doc.blocks]
    parts = [f"<!-- Written by `make gen` from {file}: edit there. -->", f"# {op.path}", doc.summary]
    parts += [f"```python\n{_signature(op)}\n```", *blocks, _arguments(op, doc), _facts(op)]
    parts += [*_examples(op), *_pictures(op)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _examples(op: Operator) -> list[str]:
    """The calls that have no picture."""
    calls = [example.call for example in op.examples if not example.drawn]
    return ["## Examples", "```python\n" + "\n".join(calls) + "\n```"] if calls else []


def _pictures(op: Operator) -> list[str]:
    entries = [entry_text(each, "../gallery/") for each in shown_by(op)]
    return ["## Pictures", *entries] if entries else []


def _signature(op: Operator) -> str:
    """The call with the real defaults, as one would write them."""
    inputs = [name if i < op.min_inputs else f"{name}=None" for i, name in enumerate(op.inputs)]
    if op.path.startswith("math."):
        return f"ndd.{op.path}({', '.join(inputs)})"
    shown = [*inputs, *(["/"] if op.inputs else []), "*inputs" if op.variadic else "*"]
    shown += [p.name if p.required else f"{p.name}={_default(p.default)}" for p in op.params.values()]
    shown += [f"{name}=None" for name in op.common_keywords]
    line = f"ndd.{op.path}({', '.join(shown)})"
    if len(line) <= 84:
        return line
    body = textwrap.fill(", ".join(shown), 80, break_long_words=False, break_on_hyphens=False)
    return f"ndd.{op.path}(\n{textwrap.indent(body, '    ')}\n)"


def _default(value: object) -> str:
    return default_text(value, dtype="ndd.", member="types.")


def _arguments(op: Operator, doc: Doc) -> str:
    """A table, and the arguments that only exist because programs written for GPUs give them."""
    if op.path.startswith("math."):
        return ""
    rows = [(name, "", "", doc.arguments[name]) for name in op.inputs if name in doc.arguments]
    for param in op.params.values():
        if param.name in doc.arguments:
            kind = f"`{type_text(param)}`" + ", per sample" * param.per_sample
            default = "required" if param.required else f"`{_default(param.default)}`"
            rows.append((param.name, kind, default, doc.arguments[param.name]))
    rows += [(name, "", "`None`", _always(op, name)) for name in op.common_keywords]
    table = [f"| `{row[0]}` | {' | '.join(map(_cell, row[1:]))} |" for row in rows]
    silent = [f"`{name}`" for name in op.params if name not in doc.arguments]
    parts = ["\n".join(["## Arguments", "", "| name | type | default | |", "|---|---|---|---|", *table])]
    if silent:
        parts.append(textwrap.fill(f"Accepted, and without effect on the CPU: {', '.join(silent)}.", 120))
    if any(param.per_sample for param in op.params.values()):
        parts.append("An argument marked *per sample* also takes a Tensor, or a Batch with a value for every sample.")
    return "\n\n".join(parts)


def _always(op: Operator, name: str) -> str:
    return _ON_CPU_ALONE if name == "device" and op.runs_on == "cpu" else ALWAYS[name]


def _facts(op: Operator) -> str:
    lines = []
    if op.layouts:
        lines.append(f"- Layouts: {', '.join(op.layouts)}. An input without a layout takes the first of its rank.")
    if (result_count(op) or 1) > 1:
        lines.append(f"- Returns {result_count(op)} results.")
    if op.draw:
        lines.append("- Random: the same seed gives the same result, in every evaluation mode.")
    lines += [f"- `ndd.{old}` is an older name of it." for old in op.older_names]
    lines += [f"- `{old}` is an older name of `{new}`." for old, new in op.renamed.items()]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
