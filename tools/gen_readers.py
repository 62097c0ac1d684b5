"""The index, the stubs and the reference pages of the readers."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re

from declared import default_text, read_doc, type_text
from gen_stubs import argument_text

import penstock.readers
from penstock.dynamic.sources.video_readers import VideoResize
from penstock.ops.declaration import declaration
from penstock.readers.core.arguments import COMMON_PARAMS
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


STUB = '''"""The readers of {title}, as type checkers see them. Written by tools/gen.py; not there at run time."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Several
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, DTypeLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.readers.core.epoch import Epoch
from penstock.readers.core.on_error import OnError
from penstock.readers.core.order import LastBatch
from penstock.readers.core.paths import Path
from penstock.readers.core.sample_checks import Check
from penstock.readers.records.tfrecord_features import Feature
from penstock.readers.tables.hugging_face import Dataset
from penstock.storage import Storage
from penstock.values.device import Device
from penstock.values.dtypes import DType, uint8
from penstock.values.enums import ImageType, InterpType
'''
# Text arguments that name files; `Path` is what readers take for such.
PATHS = {
    "annotations_file", "file_list", "file_root", "filenames", "preprocessed_annotations",
    "save_preprocessed_annotations_dir",
}  # fmt: skip
NEXT_EPOCH = """    @overload
    def next_epoch(
        self, batch_size: int, ctx: Any = None, compile: bool = False, capture: bool = False, strict: bool = False,
        *, last_batch: LastBatch = "fill",
    ) -> Epoch[{outputs}]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...
"""


def ndd_stub(title: str, kinds: dict[str, type[Reader]]) -> str:
    """Constructors with all their arguments, and epochs of as many batches as a reader has outputs."""
    bases = {name: _bases(kind) for name, kind in kinds.items()}
    modules = {module: alias for each in bases.values() for module, alias, _ in each}
    imports = [f"from {module.rpartition('.')[0]} import {module.rpartition('.')[2]} as {alias}"
               for module, alias in sorted(modules.items())]  # fmt: skip
    made = []
    for name, kind in kinds.items():
        given = ", ".join(f"{alias}.{base}" for _, alias, base in bases[name])
        head = f'class {name}({given}):\n    """{_summary(kind)}"""\n\n'
        made.append(f"\n{head}{_constructor(kind)}{NEXT_EPOCH.format(outputs=outputs_text(kind))}")
    return STUB.format(title=title) + "\n".join(["", *imports, ""]) + "".join(made)


def ndd_stubs() -> dict[str, str]:
    """Texts of the stubs of ndd's readers, by file name."""
    import penstock.dynamic as ndd

    known = {name: getattr(ndd.readers, name) for name in ndd.readers.__all__ if name not in NOT_READERS}
    new = {name: getattr(ndd.experimental.readers, name) for name in ndd.experimental.readers.__all__}
    return {
        "readers.pyi": ndd_stub("ndd.readers", known),
        "experimental_readers.pyi": ndd_stub("ndd.experimental.readers", new),
    }


def _bases(kind: type[Reader]) -> list[tuple[str, str, str]]:
    """The module, the name given to it and the class, of what a reader of ndd is made of."""
    drawn = kind.__module__.rpartition(".")[2] == "readers"  # there is no such class to see for a type checker
    return [_place(base) for base in (kind.__bases__ if drawn else (kind,))]


def _place(kind: type) -> tuple[str, str, str]:
    return kind.__module__, "_" + kind.__module__.replace(".", "_"), kind.__name__


def outputs_text(kind: type[Reader]) -> str:
    """The type of what an epoch hands out."""
    if kind._output_names is not Reader._output_names:
        return "dict[str, Batch]"
    fixed = kind._output_count is Reader._output_count
    return f"tuple[{', '.join(['Batch'] * kind._fixed_outputs) if fixed else 'Batch, ...'}]"


def _constructor(kind: type[Reader]) -> str:
    params = {**COMMON_PARAMS, **kind._own_params()}
    lines, by_position = [], True
    for parameter in inspect.signature(kind).parameters.values():
        if by_position and parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            by_position = False
            lines.append("*")
        name = parameter.name
        text = argument_text(params[name], "Batch") if name in params else _argument(parameter)
        lines.append(re.sub(r"\bstr\b", "Path", text) if name in PATHS and name in params else text)
    body = "".join(f"        {line},\n" for line in ["self", *lines])
    body = re.sub(r"\bSequence\[", "Several[", body)  # one of the readers has that name
    return f"    def __init__(\n{body}    ) -> None: ...\n"


def _argument(parameter: inspect.Parameter) -> str:
    default = parameter.default
    if default is inspect.Parameter.empty:
        return f"{parameter.name}: {parameter.annotation}"
    plain = default is None or type(default) in (bool, int, float, str)
    return f"{parameter.name}: {parameter.annotation} = {default_text(default) if plain else '...'}"


def pages() -> dict[str, str]:
    """Texts of docs/readers by file name."""
    import penstock.dynamic as ndd

    kinds = {f"readers.{name}": getattr(ndd.readers, name) for name in ndd.readers.__all__ if name not in NOT_READERS}
    new = ndd.experimental.readers
    kinds |= {f"experimental.readers.{name}": getattr(new, name) for name in new.__all__}
    files = {path: f"{path.removeprefix('readers.')}.md" for path in kinds}
    texts = {files[path]: _page(path, kind) for path, kind in kinds.items()}
    rows = [f"| [{path}]({files[path]}) | {_summary(kind)} |" for path, kind in kinds.items()]
    head = "<!-- Written by `make gen` from src/penstock/readers: edit there. -->\n\n# Readers\n\n| | |\n|---|---|"
    return texts | {"index.md": "\n".join([head, *rows, ""])}


def _summary(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())


def example_of(kind: type) -> str:
    """The example of a reader, as a program of its own."""
    _, _, example = _described(kind)
    return f"import penstock.dynamic as ndd\n\n{example}"


def _described(kind: type) -> tuple[list[str], str, str]:
    """The paragraphs of a description, what it says of the outputs, and its example."""
    description = (inspect.getdoc(kind) or "").partition("\nArgs:\n")[0]
    paragraphs, outputs, example = [], "", ""
    for block in description.strip().split("\n\n"):
        if block.startswith("Example:\n"):
            lines = inspect.cleandoc(block.partition("\n")[2]).splitlines()
            example = "\n".join(re.sub(r"^(>>>|\.\.\.) ?", "", line) for line in lines)
        elif block.startswith("Outputs: "):
            outputs = block.removeprefix("Outputs: ")
            outputs = outputs[0].upper() + outputs[1:]
        else:
            paragraphs.append(block)
    return paragraphs, outputs, example


def _page(path: str, kind: type[Reader]) -> str:
    paragraphs, outputs, _ = _described(kind)
    written = next(each.__module__ for each in kind.__mro__ if not each.__module__.endswith("dynamic.readers")
                   and not each.__module__.endswith("experimental.readers"))  # fmt: skip
    file = f"src/{written.replace('.', '/')}.py"
    handed = f"`next_epoch(batch_size=...)` hands out `{outputs_text(kind)}`; without a batch size, Tensors."
    shown = [f"<!-- Written by `make gen` from {file}: edit there. -->", f"# {path}", *paragraphs]
    shown += [f"```python\n{example_of(kind)}\n```", "## Outputs", *filter(None, [outputs]), handed]
    own, common = _argument_rows(kind)
    head = "| name | type | default | |\n|---|---|---|---|"
    shown += ["## Arguments", "\n".join([head, *own])]
    shown += ["## Arguments of all readers", "\n".join([head, *common])]
    listing = LISTING if kind._shuffles_listing else NO_LISTING
    shown += ["## Epochs and shards", EPOCHS, "## Shuffling", f"{SHUFFLING} {listing}", "## State", STATE]
    return "\n\n".join(shown) + "\n"


EPOCHS = """\
`len(reader)` is the number of samples of the reader's shard and `reader.steps(batch_size)` that of its batches.
With `num_shards=n` the data set is cut into `n` nearly equal parts, of which the reader begins with the one
that `shard_id` names. After each epoch it goes on to the next part, unless `stick_to_shard` or
`shuffle_after_epoch` is set.

The last batch of an epoch is filled with the samples that come next, or with its last sample again where
`pad_last_batch` is set. `next_epoch(batch_size, last_batch="partial")` hands out exactly the samples of the
shard, the last batch being smaller; `"drop"` leaves that batch out and `"pad"` repeats its last sample, with
equally many batches on all shards.
""".strip()
SHUFFLING = """\
`random_shuffle` draws each sample from `initial_fill` of them that are held, by `seed`. `shuffle_after_epoch`
puts the whole data set into another order for each epoch, the same on all shards, which are cut from it. A
`sampler` gives an order of your own.
""".strip()
LISTING = "With `random_shuffle` the list of files is shuffled once as a whole, too."
NO_LISTING = "Samples enter that buffer in the order in which they are stored."
STATE = """\
`get_state()` (with `enable_checkpointing=True`, or a reader registered with `ndd.checkpoint`) is a text of a
few hundred characters: the position after the last batch that the program was given. A new reader with the same
arguments goes on from it after `set_state`: its first epoch is the rest of that one, then come whole ones.
`state_dict()` and `load_state_dict()` do the same at any time. `ndd.readers.reshard` makes one state out of
those of all shards, for another number of them. A reader that is pickled or copied opens its files anew and
goes on from where it stands.
""".strip()


def _argument_rows(kind: type[Reader]) -> tuple[list[str], list[str]]:
    """The rows of a table of a reader's own arguments, and of those that all readers have."""
    words = read_doc(declaration("resize")).arguments if issubclass(kind, VideoResize) else {}
    for each in reversed(kind.__mro__):
        words = {**words, **_argument_words(each)}
    params = {**COMMON_PARAMS, **kind._own_params()}
    rows: tuple[list[str], list[str]] = ([], [])
    for name, parameter in inspect.signature(kind).parameters.items():
        default = parameter.default
        told = "required" if default is inspect.Parameter.empty else f"`{default_text(default)}`"
        accepted = type_text(params[name]) if name in params else str(parameter.annotation).replace(" | None", "")
        cells = [f"`{name}`", f"`{accepted}`", told, words[name]]
        is_common = name in inspect.signature(Reader).parameters or name in COMMON_PARAMS
        rows[is_common].append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return rows


def _argument_words(kind: type) -> dict[str, str]:
    """What the text of a class says of its arguments."""
    listed = (kind.__doc__ or "").partition("\nArgs:\n")[2]
    entries = [entry.partition(":") for entry in re.split(r"\n(?=\S)", inspect.cleandoc(listed))]
    return {name: " ".join(text.split()) for name, _, text in entries if text}
