"""Finds the files of a table: from paths, patterns, folders or data sets that Hugging Face saved."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence

from penstock.readers.files.containment import check_names
from penstock.storage import Names, Storage
from penstock.storage.urls import is_remote

_FORMATS = (".parquet", ".arrow")
_SPLIT = re.compile(r"(\w+)-\d{5}-of-\d{5}(-\w+)?\.parquet")


def find_tables(storage: Storage, paths: Sequence[str]) -> list[str]:
    """The files of all paths, in the order of the paths, then by name; raises RuntimeError if there are none."""
    found = [file for path in paths for file in _files_of(storage, path)]
    if not found:
        raise RuntimeError("there are no files to read: path is an empty list")
    return found


def _files_of(storage: Storage, path: str) -> list[str]:
    if any(sign in path for sign in "*?["):
        return _told(path, storage.find(path))
    if path.endswith(_FORMATS) or (not is_remote(path) and not os.path.isdir(path)):
        return [path]
    folder = path.rstrip("/")
    saved = _saved_files(storage, folder)
    if saved is not None:
        return saved
    for ending in _FORMATS:
        found = [file for file in storage.find(f"{folder}/**/*{ending}") if not _hidden(file[len(folder) :])]
        if found:
            _refuse_several_splits(folder, found)
            return found
    return _told(path, [])


def _saved_files(storage: Storage, folder: str) -> list[str] | None:
    """The files of a data set that Hugging Face's `save_to_disk` wrote; None for any other folder."""
    splits = _json(storage, f"{folder}/dataset_dict.json")
    if splits is not None:
        names = ", ".join(repr(f"{folder}/{name}") for name in splits.get("splits", []))
        raise RuntimeError(f"{folder} has several splits; path is one of {names}")
    state = _json(storage, f"{folder}/state.json")
    if state is None or "_data_files" not in state:
        return None
    try:
        files = Names.of(entry["filename"] for entry in state["_data_files"])
    except (KeyError, TypeError):
        raise RuntimeError(f"{folder}/state.json: its _data_files are no list of file names") from None
    check_names(files, f"{folder}/state.json", folder, allow_outside=False)
    return [files.path(folder, at) for at in range(len(files))]


def _json(storage: Storage, path: str) -> dict[str, list[dict[str, str]]] | None:
    try:
        text = storage.read_text(path)
    except RuntimeError:
        return None
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise RuntimeError(f"{path}: {error}") from None
    if not isinstance(parsed, dict):
        raise RuntimeError(f"{path}: not an object")
    return parsed


def _refuse_several_splits(folder: str, files: Sequence[str]) -> None:
    names = [_SPLIT.fullmatch(os.path.basename(file)) for file in files]
    splits = sorted({name.group(1) for name in names if name is not None})
    if len(splits) > 1:
        raise RuntimeError(
            f"{folder} has files of the splits {', '.join(splits)}; a pattern names those of one: "
            f"path='{os.path.dirname(files[0])}/{splits[-1]}-*.parquet'"
        )


def _hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))


def _told(path: str, found: list[str]) -> list[str]:
    if not found:
        raise RuntimeError(f"there are no Parquet or Arrow files at {path}")
    return found
