"""What is wrong in the annotations of a COCO data set."""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from penstock.cli.checking.file_report import FileReport, Problem, problem_of

COCO = "COCO"
_NAMES = ("images", "categories", "annotations")
_LISTS = (re.compile(rb'"images"\s*:\s*\['), re.compile(rb'"annotations"\s*:\s*\['))
_TRIED = 64  # images that are looked for in each folder
_OUTSIDE = 0.5  # pixels that a box may reach outside of its image: coordinates are rounded


class _Fault(NamedTuple):
    problem: Problem
    reason: str


def is_coco(path: str) -> bool:
    """Whether a file is JSON by its name and has lists of images and of annotations; False where it cannot be read."""
    if Path(path).suffix.lower() != ".json":
        return False
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return all(each.search(content) for each in _LISTS)
    except (OSError, ValueError):  # an empty file cannot be mapped
        return False


def report_coco(blank: FileReport) -> FileReport:
    """A report whose members are the images, categories and annotations that something is wrong with."""
    report = blank._replace(format=COCO)
    try:
        tables = _tables(Path(blank.path).read_bytes())
    except (ValueError, RecursionError, MemoryError) as error:
        return report._replace(problem=problem_of(str(error)), reason=str(error))
    root = _image_folder(blank.path, tables["images"])
    if root is None and tables["images"]:
        folder = os.path.dirname(blank.path)
        reason = f"its images are not in {folder}, nor in {os.path.dirname(folder)}, nor in the folders of these"
        report = report._replace(problem="missing", reason=reason)
    found = [
        FileReport(f"{name}[{at}]", 0, 0, COCO, archive=blank.path, problem=faults[0].problem, reason=_told(faults))
        for name, at, faults in _faults(tables, root)
    ]
    return report._replace(members=tuple(found))


def _told(faults: list[_Fault]) -> str:
    return "; ".join(fault.reason for fault in faults)


def _tables(content: bytes) -> dict[str, list[Any]]:
    """The lists of the file. Raises ValueError if it is no JSON, or has none of images and of annotations."""
    try:
        parsed = json.loads(content)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
        raise ValueError(f"{'the JSON ends early' if ends else 'it is no JSON'}: {error}") from None
    found: dict[str, Any] = {}
    if isinstance(parsed, dict):
        found = {name: parsed[name] for name in _NAMES if name in parsed}
    wrong = [name for name in ("images", "annotations") if name not in found]
    wrong += [name for name, entries in found.items() if not isinstance(entries, list)]
    if wrong:
        raise ValueError(f"it has no list of {' and of '.join(wrong)}")
    return found


def _faults(tables: dict[str, list[Any]], root: str | None) -> Iterator[tuple[str, int, list[_Fault]]]:
    """The entries with something wrong: the name of their list, their place in it, and what it is."""
    images = {_key(entry, "id"): entry for entry in reversed(tables["images"])}
    categories = {_key(entry, "id") for entry in tables["categories"]} - {None} if "categories" in tables else None
    for name, entries in tables.items():
        seen: dict[Any, int] = {}
        for at, entry in enumerate(entries):
            if not isinstance(entry, dict):
                yield name, at, [_Fault("corrupt", f"it is no object: {str(entry)[:40]}")]
                continue
            faults = [*_repeated(entry, name, at, seen)]
            if name == "images":
                faults += _image_faults(entry, root)
            elif name == "annotations":
                faults += _annotation_faults(entry, images, categories)
            if faults:
                yield name, at, faults


def _repeated(entry: dict[str, Any], name: str, at: int, seen: dict[Any, int]) -> Iterator[_Fault]:
    key = _key(entry, "id")
    first = seen.setdefault(key, at)
    if key is not None and first != at:
        yield _Fault("duplicate id", f"its id is {key}, as that of {name}[{first}]")


def _image_faults(image: dict[str, Any], root: str | None) -> Iterator[_Fault]:
    if _key(image, "id") is None:
        yield _Fault("corrupt", "it has no id")
    name = image.get("file_name")
    if not isinstance(name, str) or not name:
        yield _Fault("corrupt", "it has no file_name")
    elif root is not None and not _is_file(root, name):
        yield _Fault("missing", f"{name} is not in {root}")


def _annotation_faults(
    annotation: dict[str, Any], images: dict[Any, Any], categories: set[Any] | None
) -> Iterator[_Fault]:
    key = _key(annotation, "image_id")
    image = None if key is None else images.get(key)
    if image is None:
        yield _Fault("unknown id", f"its image_id is {annotation.get('image_id')}, but no image has that id")
    category = annotation.get("category_id")
    if categories is not None and category is not None and _key(annotation, "category_id") not in categories:
        yield _Fault("unknown id", f"its category_id is {category}, but no category has that id")
    if "bbox" in annotation:
        yield from _box_faults(annotation["bbox"], image or {})


def _box_faults(box: Any, image: dict[str, Any]) -> Iterator[_Fault]:
    if not isinstance(box, list) or len(box) != 4 or not all(map(_is_number, box)):
        yield _Fault("bad box", f"its box is not four numbers: {str(box)[:60]}")
        return
    left, top, width, height = box
    told = ", ".join(f"{number:g}" for number in box)
    if not (width > 0 and height > 0):
        yield _Fault("bad box", f"its box has no area: {told}")
        return
    across, down = _side(image, "width"), _side(image, "height")
    inside = left >= -_OUTSIDE and top >= -_OUTSIDE
    if not (inside and left + width <= across + _OUTSIDE and top + height <= down + _OUTSIDE):
        yield _Fault("bad box", f"its box reaches outside of the image of {across:g}x{down:g}: {told}")


def _side(image: dict[str, Any], name: str) -> float:
    """The width or height of an image; infinite if it is not told."""
    side = image.get(name)
    return float(side) if side is not None and _is_number(side) else float("inf")


def _image_folder(path: str, images: list[Any]) -> str | None:
    """The folder that names of images are relative to: that with the most of some of them; None if there is none.

    The file does not tell it. Images are usually beside it, or in a folder beside it or beside its own folder.
    """
    names = [image["file_name"] for image in images if isinstance(image, dict) and _key(image, "file_name")]
    some = names[:: max(1, len(names) // _TRIED)]
    folder = os.path.dirname(path)
    parent = os.path.dirname(folder)
    best, most = None, 0
    for root in dict.fromkeys([folder, *_folders(folder), parent, *_folders(parent)]):
        there = sum(_is_file(root, name) for name in some)
        if there > most:
            best, most = root, there
    return best


def _folders(folder: str) -> list[str]:
    try:
        return sorted(each.path for each in os.scandir(folder) if each.is_dir() and not each.name.startswith("."))
    except OSError:
        return []


def _is_file(root: str, name: Any) -> bool:
    try:
        return os.path.isfile(os.path.join(root, str(name)))
    except ValueError:  # a name with a null byte
        return False


def _key(entry: Any, name: str) -> float | str | None:
    """A field that is an id or a name; None if it is absent or something else."""
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, (int, float, str)) else None


def _is_number(value: Any) -> bool:
    """Whether a value is a number that can be calculated with: JSON has integers that are no floats."""
    return isinstance(value, float) or (type(value) is int and abs(value) < 1 << 63)
