"""What suites and policies share: how far images are moved, and which augmentations are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from penstock.auto_aug import augmentations as a
from penstock.auto_aug.core.augmentation import Augmentation, MissingArgException
from penstock.auto_aug.core.node_or_value import given
from penstock.auto_aug.core.selection import select, when
from penstock.auto_aug.fused import fused
from penstock.dynamic.values.value import Value

Distance = float | Sequence[float]


def translations(
    use_shape: bool,
    farthest_abs: float,
    farthest_rel: float,
    max_translate_abs: Distance | None,
    max_translate_rel: Distance | None,
) -> list[Augmentation]:
    """translate_x and translate_y, by pixels or by parts of the image; `farthest_*` are the limits if none is given."""
    y, x = farthest(use_shape, farthest_abs, farthest_rel, max_translate_abs, max_translate_rel)
    along_x, along_y = (a.translate_x, a.translate_y) if use_shape else (a.translate_x_no_shape, a.translate_y_no_shape)
    return [along_x.augmentation(mag_range=(0, x)), along_y.augmentation(mag_range=(0, y))]


def farthest(
    use_shape: bool,
    farthest_abs: float,
    farthest_rel: float,
    max_translate_abs: Distance | None,
    max_translate_rel: Distance | None,
) -> tuple[float, float]:
    """The largest translations along y and x: parts of the image where its shape is known, else pixels."""
    unfit, fit = ("abs", "rel") if use_shape else ("rel", "abs")
    if (max_translate_abs if use_shape else max_translate_rel) is not None:
        raise ValueError(
            f"The argument `max_translate_{unfit}` cannot be used {'with' if use_shape else 'without'} image shapes. "
            f"You may use `max_translate_{fit}` instead."
        )
    if use_shape:
        return _per_axis(farthest_rel if max_translate_rel is None else max_translate_rel)
    return _per_axis(farthest_abs if max_translate_abs is None else max_translate_abs)


def enhancements(
    factors: tuple[float, float], negated: bool, to_factor: Any, to_kernel: Callable[[float], Any]
) -> list[Augmentation]:
    """Brightness, contrast, colour and sharpness with magnitudes from the same range."""
    plain = (a.brightness, a.contrast, a.color)
    return [
        *(each.augmentation(mag_range=factors, randomly_negate=negated, mag_to_param=to_factor) for each in plain),
        a.sharpness.augmentation(mag_range=factors, randomly_negate=negated, mag_to_param=to_kernel),
    ]


def _per_axis(distance: Distance) -> tuple[float, float]:
    """Along y and along x."""
    if not isinstance(distance, Sequence):
        return distance, distance
    if len(distance) != 2:
        raise ValueError(f"a largest translation is one number, or one for y and one for x; got {len(distance)}")
    return distance[0], distance[1]


def without(suite: list[Augmentation], excluded: Sequence[str] | None, name: str) -> list[Augmentation]:
    """A suite but for the augmentations with some names."""
    known = [each.name for each in suite]
    for each in excluded or ():
        if each not in known:
            raise ValueError(
                f"The `{each}` was specified in `excluded`, but the {name} suite does not contain augmentation with "
                f"this name. The augmentations in the suite are: {', '.join(known)}."
            )
    return [each for each in suite if each.name not in (excluded or ())]


def accepted(suite: Sequence[Augmentation], shape: Any, interp_type: Any, fill_value: Any) -> dict[str, Any]:
    """Arguments for a suite. Unlike the others, a fill value of None means something, so it is given where it fits."""
    options = given(shape=shape, interp_type=interp_type)
    if any("fill_value" in each.accepted for each in suite):
        options["fill_value"] = fill_value
    return options


def one_of(
    augmentations: Sequence[Augmentation], chosen: Any, data: Any, magnitude_bin: Any, bins: int,
    kwargs: dict[str, Any], *, call: str, suite: str, applied: Any = True,
) -> Any:  # fmt: skip
    """Applies one of several augmentations to every sample, or none where `applied` does not hold.

    Errors tell about the function `call` that was called, and the function `suite` that shows how to make one.
    """
    together = fused(augmentations, chosen, data, magnitude_bin, bins, kwargs, applied)
    if together is not None:
        return together
    if isinstance(data, Value):
        raise TypeError(
            f"{call}() on Tensors and Batches takes the augmentations of penstock.auto_aug.augmentations, with "
            "arguments that are the same for all samples but for `shape`; pipelines take others too"
        )
    try:
        return when(
            applied,
            lambda: select(augmentations, chosen, data, magnitude_bin=magnitude_bin, num_magnitude_bins=bins, **kwargs),
            lambda: data,
        )
    except MissingArgException as error:
        if "shape" not in error.missing_args:
            raise
        name = error.augmentation.name
        raise MissingArgException(
            f"The augmentation `{name}` requires `shape` argument that describes image shape (in HWC layout). Give it "
            f"to `{call}`: fn.peek_image_shape reads it from encoded images. `{name}_no_shape` moves by pixels "
            f"instead; `{suite}` has it unless `use_shape` is set.",
            error.augmentation,
            error.missing_args,
        ) from None
