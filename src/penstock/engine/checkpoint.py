"""Checkpoint: the states of readers and generators, saved in numbered files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from penstock.engine.errors import add_note
from penstock.engine.numbered_files import NumberedFiles

FORMAT_VERSION = 2
_ANONYMOUS = "__op_"


class Stateful(Protocol):
    """An object that a checkpoint can keep: its `set_state` takes what `get_state` returned, or the `str()` of that."""

    def get_state(self) -> Any: ...

    def set_state(self, value: Any, /) -> None: ...


@dataclass
class _Entry:
    state: Any
    type_name: str | None
    dirty: bool  # not applied to its object yet


class Checkpoint:
    """The states of readers, generators and any other objects with `get_state` and `set_state`.

    Example:
        >>> checkpoint = ndd.checkpoint.Checkpoint()
        >>> checkpoint.load("run/step_{seq:04d}.json")  # to go on with a stopped run
        >>> checkpoint.register(reader, "reader")
        >>> for images, labels in reader.next_epoch(batch_size=64):
        ...     train_step(images, labels)
        ...     checkpoint.collect()
        ...     checkpoint.save("run/step_{seq:04d}.json")
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forgets everything: objects, states and the number of the last file."""
        self._objects: dict[str, Stateful] = {}
        self._entries: dict[str, _Entry] = {}
        self._complete = False
        self._loaded = False
        self._next_number = 0

    @property
    def is_complete(self) -> bool:
        """Whether `collect` has filled the checkpoint."""
        return self._complete

    @property
    def is_loaded(self) -> bool:
        """Whether the states come from `load` or `deserialize`."""
        return self._loaded

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the registered objects, in the order of registration."""
        return tuple(self._objects)

    def __contains__(self, name: object) -> bool:
        return name in self._objects

    def __len__(self) -> int:
        return len(self._objects)

    def register(self, op: Stateful, name: str | None = None) -> str:
        """Adds an object and returns its name. A state waiting under that name is applied to it at once.

        Args:
            op: A reader, a generator, or anything with `get_state` and `set_state`.
            name: Takes the place of an object of the same type, if there is one. Without a name, an object gets
                one by the order of registration.
        """
        name = self._name_for(op, name)
        self._check_place(name, op)
        entry = self._entries.get(name)
        if entry is not None and entry.dirty:
            _check_type(name, entry, op)
        if hasattr(op, "enable_checkpointing"):
            op.enable_checkpointing()
        if entry is not None and entry.dirty:
            op.set_state(entry.state)
            entry.dirty = False
        self._objects[name] = op
        return name

    def _name_for(self, op: Stateful, name: str | None) -> str:
        known = next((key for key, other in self._objects.items() if other is op), None)
        if name is None:
            return known or f"{_ANONYMOUS}{len(self._objects)}"
        if not name:
            raise ValueError("The name must not be empty.")
        if name.startswith(_ANONYMOUS):
            raise ValueError(f"Names starting with {_ANONYMOUS!r} are for objects without a name, got {name!r}.")
        if known not in (None, name):
            raise RuntimeError(f"Cannot register under {name!r} what is already registered under {known!r}.")
        return name

    def _check_place(self, name: str, op: Stateful) -> None:
        if self._complete and name not in self._objects:
            raise RuntimeError(f"Cannot register a new op {name!r} into a completed checkpoint. Call `clear` first.")
        if self._loaded and name not in self._entries:
            raise KeyError(
                f"The loaded checkpoint has no state for {name!r}, only for {sorted(self._entries)}; "
                "register by name, or in the order in which it was saved."
            )
        before = self._objects.get(name, op)
        if type(before) is not type(op):
            raise TypeError(
                f"Cannot replace operator {name!r} of type {_type_name(before)!r} with one of type {_type_name(op)!r}."
            )

    def collect(self) -> None:
        """Takes the state of every registered object."""
        self._check_all_registered()
        self._entries = {name: _Entry(op.get_state(), _type_name(op), False) for name, op in self._objects.items()}
        self._complete = True
        self._loaded = False

    def restore(self) -> None:
        """Applies the states that have not been applied yet to the registered objects."""
        if not self._entries:
            return
        self._check_all_registered()
        missing = sorted(self._objects.keys() - self._entries.keys())
        if missing:
            raise RuntimeError(f"Checkpoint state is incomplete - missing entries for {missing}.")
        dirty = [(name, entry) for name, entry in self._entries.items() if entry.dirty]
        for name, entry in dirty:
            _check_type(name, entry, self._objects[name])
        for name, entry in dirty:
            self._objects[name].set_state(entry.state)
            entry.dirty = False

    def _check_all_registered(self) -> None:
        extra = sorted(self._entries.keys() - self._objects.keys())
        if extra:
            raise RuntimeError(f"Checkpoint state has entries with no corresponding registered ops: {extra}.")

    def get_state(self, name: str) -> Any:
        """Returns the stored state of a registered object: None before there is one, its text after loading."""
        if name not in self._objects:
            raise KeyError(f"No op registered under {name!r}.")
        return self._entries[name].state if name in self._entries else None

    def set_state(self, name: str, value: Any, op_type: type | str | None = None) -> None:
        """Stores a state for `register` or `restore` to apply.

        Args:
            name: The name of an object, registered or to come.
            value: What the object's `set_state` takes.
            op_type: The class, or its name, that the object must be of.
        """
        if self._complete and name not in self._objects:
            raise KeyError(f"No op registered under {name!r}.")
        if op_type is not None and not isinstance(op_type, (type, str)):
            raise TypeError(f"`op_type` must be a class or a string, got {op_type!r}.")
        type_name = op_type.__qualname__ if isinstance(op_type, type) else op_type
        self._entries[name] = _Entry(value, type_name, dirty=True)

    def serialize(self) -> str:
        """Returns the states as JSON."""
        if not self._entries:
            raise RuntimeError("Cannot serialize an empty checkpoint. Call `collect` (or `set_state`) first.")
        states = {name: {"state": str(entry.state), "type": entry.type_name} for name, entry in self._entries.items()}
        return json.dumps({"version": FORMAT_VERSION, "states": states})

    def deserialize(self, data: str | bytes) -> None:
        """Replaces the states by those in `data`; `register` or `restore` applies them."""
        self._entries = _entries_of(json.loads(data))
        self._loaded = True
        self._complete = False

    def save(self, filename: str | os.PathLike[str]) -> str:
        """Writes the next file of a sequence and returns its path. A crash leaves the file whole or absent.

        Args:
            filename: A path with `{seq}`, or `{seq:04d}`, in the place of the number.
        """
        files = NumberedFiles(filename)
        text = self.serialize()
        newest = files.newest()
        number = max(self._next_number, newest[0] + 1 if newest else 0)
        while not files.write(number, text):
            number += 1
        self._next_number = number + 1
        return files.path(number)

    def load(self, filename: str | os.PathLike[str]) -> str:
        """Reads the newest file of a sequence, as `deserialize` does, and returns its path.

        Args:
            filename: The path given to `save`.
        """
        newest = NumberedFiles(filename).newest()
        if newest is None:
            raise FileNotFoundError(f"No checkpoint file matches filename {os.fspath(filename)!r}.")
        number, path = newest
        try:
            self.deserialize(Path(path).read_bytes())
        except ValueError as error:
            add_note(error, f"in the checkpoint {path}")
            raise
        self._next_number = number + 1
        return path


def _type_name(op: object) -> str:
    return type(op).__qualname__


def _check_type(name: str, entry: _Entry, op: Stateful) -> None:
    if entry.type_name not in (None, _type_name(op)):
        raise TypeError(
            f"Type mismatch for operator {name!r}: the checkpoint has the state of a {entry.type_name!r}, "
            f"the registered object is a {_type_name(op)!r}."
        )


def _entries_of(payload: Any) -> dict[str, _Entry]:
    if not isinstance(payload, dict) or "states" not in payload:
        raise ValueError("Invalid checkpoint payload.")
    version, states = payload.get("version", 0), payload["states"]
    if version != FORMAT_VERSION:
        raise ValueError(f"Unsupported checkpoint format version {version!r}; expected {FORMAT_VERSION}.")
    if not isinstance(states, dict):
        raise ValueError(f"Invalid checkpoint payload: `states` is a {type(states).__name__} instead of a dict.")
    return {name: _entry_of(name, saved) for name, saved in states.items()}


def _entry_of(name: str, saved: Any) -> _Entry:
    if not isinstance(saved, dict) or "state" not in saved:
        raise ValueError(f"Invalid checkpoint entry for {name!r}.")
    type_name = saved.get("type")
    if not isinstance(type_name, (str, type(None))):
        raise ValueError(f"Invalid `type` for entry {name!r}: {type_name!r} is not a string.")
    return _Entry(str(saved["state"]), type_name, dirty=True)
