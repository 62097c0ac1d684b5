"""Policies: which augmentations may follow each other, how likely and how strong."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from penstock.auto_aug.core.augmentation import Augmentation

Operation = tuple[Augmentation, float, int | None]


class Policy:
    """Sub-policies, of which one is chosen for every sample. Their augmentations are applied one after the other."""

    def __init__(self, name: str, num_magnitude_bins: int, sub_policies: Sequence[Sequence[Operation]]) -> None:
        """Every operation is an augmentation, the probability of applying it and its bin, None if it has none."""
        self.name = name
        self.num_magnitude_bins = num_magnitude_bins
        check_bins(num_magnitude_bins)
        if not isinstance(sub_policies, (list, tuple)):
            raise TypeError(f"The `sub_policies` must be a list or tuple of sub policies, got {type(sub_policies)}.")
        for sub_policy in sub_policies:
            if not isinstance(sub_policy, (list, tuple)):
                raise TypeError(f"Each sub policy must be a list or tuple, got {sub_policy}.")
            for operation in sub_policy:
                self._check(operation)
        self.sub_policies = _told_apart(sub_policies)

    @property
    def augmentations(self) -> dict[str, Augmentation]:
        """The augmentations of all sub-policies by name."""
        found = {each.name: each for each in _augmentations(self.sub_policies)}
        return dict(sorted(found.items()))

    def _check(self, operation: Any) -> None:
        if not isinstance(operation, (list, tuple)) or len(operation) != 3:
            raise TypeError(
                "Each operation in sub policy must be specified as a triple: (augmentation, probability, magnitude). "
                f"Got {operation}."
            )
        augmentation, probability, magnitude = operation
        if not isinstance(augmentation, Augmentation):
            raise TypeError(
                f"Each augmentation in sub policies must be an instance of Augmentation. Got `{augmentation}`. Is the "
                "`@augmentation` decorator missing?"
            )
        if not isinstance(probability, (int, float)) or not 0 <= probability <= 1:
            raise ValueError(
                "Probability of applying the augmentation must be a number from `[0, 1]` range. "
                f"Got `{probability}` for augmentation `{augmentation.name}`."
            )
        if probability == 0:
            warnings.warn(
                f"The augmentation `{augmentation.name}` in policy `{self.name}` is used with probability 0 in one of "
                "the sub-policies.",
                stacklevel=3,
            )
        self._check_magnitude(augmentation, magnitude)

    def _check_magnitude(self, augmentation: Augmentation, magnitude: Any) -> None:
        if magnitude is None:
            if augmentation.mag_range is not None:
                raise ValueError(
                    f"The augmentation `{augmentation.name}` has `mag_range` specified, so the magnitude bin is "
                    f"required. However, got `None` in the policy `{self.name}`."
                )
        elif not isinstance(magnitude, int) or not 0 <= magnitude < self.num_magnitude_bins:
            raise ValueError(
                f"Magnitude of the augmentation must be an integer from `[0, {self.num_magnitude_bins - 1}]` range. "
                f"Got `{magnitude}` for augmentation `{augmentation.name}`."
            )
        elif augmentation.mag_range is None:
            warnings.warn(
                f"The magnitude bin `{magnitude}` for augmentation `{augmentation.name}` in policy `{self.name}` will "
                "be ignored, as it has no magnitudes; None in its place says so.",
                stacklevel=4,
            )

    def __repr__(self) -> str:
        lines = [
            "[" + ", ".join(str((each.name, probability, bin)) for each, probability, bin in sub_policy) + "]"
            for sub_policy in self.sub_policies
        ]
        own = [f"{name!r}: {each!r}" for name, each in self.augmentations.items()]
        listed = [",".join(f"\n\t{line}" for line in lines) for lines in (lines, own)]
        return (
            f"Policy(name={self.name!r}, num_magnitude_bins={self.num_magnitude_bins}, "
            f"sub_policies=[{listed[0]}], augmentations={{{listed[1]}}})"
        )


def check_bins(num_magnitude_bins: Any) -> None:
    if not isinstance(num_magnitude_bins, int) or num_magnitude_bins < 1:
        raise ValueError(f"The `num_magnitude_bins` must be a positive integer, got {num_magnitude_bins}.")


def _augmentations(sub_policies: Sequence[Sequence[Operation]]) -> list[Augmentation]:
    return [*dict.fromkeys(augmentation for sub_policy in sub_policies for augmentation, _, _ in sub_policy)]


def _told_apart(sub_policies: Sequence[Sequence[Operation]]) -> tuple[tuple[Operation, ...], ...]:
    """The sub-policies with their augmentations numbered where two of them have the same name."""
    every = _augmentations(sub_policies)
    named = {each: each for each in every}
    if len({each.name for each in every}) < len(every):
        digits = len(str(len(every) - 1))  # so that they sort as they are numbered
        named = {each: each.augmentation(name=f"{k:0{digits}}__{each.name}") for k, each in enumerate(every)}
    return tuple(
        tuple((named[augmentation], probability, bin) for augmentation, probability, bin in sub_policy)
        for sub_policy in sub_policies
    )
