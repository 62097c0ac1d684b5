"""`@augmentation`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from penstock.auto_aug.core.augmentation import Augmentation, MagnitudeRange, Operation


@overload
def augmentation(
    function: Operation,
    *,
    mag_range: MagnitudeRange | None = None,
    randomly_negate: bool | None = None,
    mag_to_param: Callable[[Any], Any] | None = None,
    param_device: str | None = None,
    name: str | None = None,
    augmentation_cls: type[Augmentation] | None = None,
) -> Augmentation: ...


@overload
def augmentation(
    function: None = None,
    *,
    mag_range: MagnitudeRange | None = None,
    randomly_negate: bool | None = None,
    mag_to_param: Callable[[Any], Any] | None = None,
    param_device: str | None = None,
    name: str | None = None,
    augmentation_cls: type[Augmentation] | None = None,
) -> Callable[[Operation], Augmentation]: ...


def augmentation(
    function: Operation | None = None,
    *,
    mag_range: MagnitudeRange | None = None,
    randomly_negate: bool | None = None,
    mag_to_param: Callable[[Any], Any] | None = None,
    param_device: str | None = None,
    name: str | None = None,
    augmentation_cls: type[Augmentation] | None = None,
) -> Augmentation | Callable[[Operation], Augmentation]:
    """Makes a function of samples and a parameter an augmentation that suites and policies can hold.

        @augmentation(mag_range=(0, 30), randomly_negate=True)
        def rotate(images, angle, fill_value=128, interp_type=None):
            return fn.rotate(images, angle=angle, fill_value=fill_value, keep_size=True)

    Args:
        function: Its first two parameters are the samples and what the magnitude was made into: a node with a value
            for every sample, or None without `mag_range`. Others are arguments that those who apply it may be given.
        mag_range: Lowest and highest magnitude, in even steps over the bins, or an array with one for every bin.
        randomly_negate: Whether half of the samples get the negative of their magnitude.
        mag_to_param: Makes the parameter of a magnitude; by default it is the magnitude.
        param_device: Accepted; parameters are in host memory.
        name: The function's own by default.
        augmentation_cls: A subclass of Augmentation to make.
    """

    def declare(operation: Operation) -> Augmentation:
        if isinstance(operation, Augmentation):
            raise TypeError(
                f"The `@augmentation` was applied to already decorated Augmentation. `{operation.name}.augmentation` "
                f"changes its settings, and `{operation.name}.op` is the function itself."
            )
        if not callable(operation):
            raise TypeError(
                f"The `@augmentation` decorator was used to decorate the object that is not callable: {operation!r}."
            )
        make = augmentation_cls or Augmentation
        return make(operation, mag_range, randomly_negate, mag_to_param, param_device, name)

    return declare if function is None else declare(function)
