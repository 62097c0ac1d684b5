"""The arguments of `readers.COCO`, with the outdated names of some."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from penstock.readers.core.paths import path_text, several

RENAMED = {
    "dump_meta_files": "save_preprocessed_annotations",
    "dump_meta_files_path": "save_preprocessed_annotations_dir",
    "meta_files_path": "preprocessed_annotations",
    "save_img_ids": "image_ids",
}
_PATHS = ("annotations_file", "file_root", "preprocessed_annotations", "save_preprocessed_annotations_dir")
_DECIDED_WHEN_SAVED = ("annotations_file", "images", "ltrb", "ratio", "size_threshold", "skip_empty")


@dataclass(frozen=True, kw_only=True)
class CocoOptions:
    """The arguments of `readers.COCO` besides those of all readers."""

    annotations_file: str = ""
    file_root: str | None = None
    images: list[str] | None = None
    ltrb: bool = False
    ratio: bool = False
    size_threshold: float = 0.1
    skip_empty: bool = False
    include_iscrowd: bool = True
    avoid_class_remapping: bool = False
    image_ids: bool = False
    polygon_masks: bool = False
    pixelwise_masks: bool = False
    preprocessed_annotations: str = ""
    save_preprocessed_annotations: bool = False
    save_preprocessed_annotations_dir: str = ""
    masks: bool = False
    allow_outside: bool = False

    @property
    def polygons(self) -> bool:
        """Whether polygons are an output: `masks` is the older form, with coordinates counted instead of vertices."""
        return self.polygon_masks or self.masks

    @property
    def any_masks(self) -> bool:
        return self.polygons or self.pixelwise_masks

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuses contradicting arguments; `given` are those that the program wrote."""
        if self.file_root is None:
            raise RuntimeError("``file_root`` argument is required; the names in the annotations are relative to it.")
        if not self.preprocessed_annotations and "annotations_file" not in given:
            raise RuntimeError("Either ``annotations_file`` or ``preprocessed_annotations`` must be provided")
        if self.polygons and self.pixelwise_masks:
            raise RuntimeError("``pixelwise_masks`` and ``polygon_masks`` are mutually exclusive")
        if self.save_preprocessed_annotations != bool(self.save_preprocessed_annotations_dir):
            raise RuntimeError(
                "``save_preprocessed_annotations`` and ``save_preprocessed_annotations_dir`` should be provided "
                "together"
            )
        for name in _DECIDED_WHEN_SAVED if self.preprocessed_annotations else ():
            if name in given:
                raise RuntimeError(
                    f'When reading data from preprocessed annotation files, "{name}" is not supported: it was decided '
                    "when they were saved."
                )


def up_to_date(given: Mapping[str, Any]) -> dict[str, Any]:
    """Converts outdated names of arguments to the present ones, with a warning, and paths to text."""
    made = {name: value for name, value in given.items() if value is not None}
    for old, new in RENAMED.items():
        if old in made:
            if new in made:
                raise TypeError(f"COCO() got {old!r}, which is now called {new!r}, beside {new!r} itself")
            warnings.warn(f"COCO(): {old} is now called {new}", DeprecationWarning, stacklevel=3)
            made[new] = made.pop(old)
    if "masks" in made:
        warnings.warn(
            "COCO(): use polygon_masks instead of masks; it counts vertices where masks counts coordinates",
            DeprecationWarning,
            stacklevel=3,
        )
    if "images" in made:
        made["images"] = several(made["images"])
    return {name: path_text(value) if name in _PATHS else value for name, value in made.items()}
