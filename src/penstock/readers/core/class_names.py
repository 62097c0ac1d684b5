"""The names of the classes of readers whose labels are the numbers of folders."""

from __future__ import annotations

from abc import abstractmethod


class ClassNames:
    """Part of a reader whose labels are numbers of folders: `classes` and `class_to_idx`, as torchvision has them."""

    @property
    @abstractmethod
    def _class_names(self) -> list[str] | None:
        """The names of the folders by label; None where labels come from elsewhere."""

    @property
    def classes(self) -> list[str]:
        """The names of the classes by label: those of the folders, in alphabetical order."""
        names = self._class_names
        if names is None:
            raise AttributeError("labels have names only where folders are classes; these labels were given as numbers")
        return [*names]

    @property
    def class_to_idx(self) -> dict[str, int]:
        """The label of each class by its name."""
        return {name: label for label, name in enumerate(self.classes)}
