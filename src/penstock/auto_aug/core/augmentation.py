"""A single augmentation: a function of samples and of a parameter that follows from the magnitude."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from penstock.auto_aug.core.magnitudes import Bin, SignedBin, check_bin, signed_bin, signs, table
from penstock.auto_aug.core.node_or_value import constant, row_of

Array = np.ndarray[Any, Any]
Operation = Callable[..., Any]
MagnitudeRange = tuple[float, float] | Array
_UNSET: Any = object()


class MissingArgException(Exception):  # noqa: N818 a name that programs know
    """An augmentation was not given an argument that it cannot do without."""

    def __init__(self, message: str, augmentation: Augmentation, missing_args: Sequence[str]) -> None:
        super().__init__(message)
        self.augmentation = augmentation
        self.missing_args = missing_args


class UnusedArgException(Exception):  # noqa: N818 a name that programs know
    """None of the augmentations takes an argument."""


class Augmentation:
    """An operation, the magnitudes it may have, and how its parameter follows from one of them."""

    def __init__(
        self,
        op: Operation,
        mag_range: MagnitudeRange | None = None,
        randomly_negate: bool | None = None,
        mag_to_param: Callable[[Any], Any] | None = None,
        param_device: str | None = None,
        name: str | None = None,
    ) -> None:
        self.op = op
        self._given = {
            "mag_range": mag_range, "mag_to_param": mag_to_param, "randomly_negate": randomly_negate,
            "param_device": param_device, "name": name,
        }  # fmt: skip
        self.mag_range = mag_range
        self.randomly_negate = bool(randomly_negate)
        self.mag_to_param: Callable[[Any], Any] = mag_to_param or np.array
        self.param_device = param_device or "cpu"
        self.name = str(name or getattr(op, "__name__", type(op).__name__))
        self.required, self.optional = self._named_arguments()

    def __call__(
        self,
        data: Any,
        *,
        magnitude_bin: Bin | SignedBin | None = None,
        num_magnitude_bins: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Applies the operation with the magnitude of a bin.

        Arguments that the operation does not have are ignored, so that several augmentations can be given the same.

        Args:
            magnitude_bin: A number from 0, a node with one for every sample, or a result of `signed_bin`.
            num_magnitude_bins: How many bins `mag_range` is divided into; an array has as many as it is long.
            kwargs: Further arguments of the operation.
        """
        missing = [name for name in self.required if name not in kwargs]
        if missing:
            raise MissingArgException(
                f"The augmentation `{self.name}` requires following named argument(s) which were not provided to the "
                f"call: {', '.join(missing)}.",
                self,
                missing,
            )
        parameter = self._parameter(data, magnitude_bin, num_magnitude_bins)
        return self.op(data, parameter, **{name: value for name, value in kwargs.items() if name in self.accepted})

    @property
    def accepted(self) -> Collection[str]:
        """The further arguments of the operation."""
        return {*self.required, *self.optional}

    def augmentation(
        self,
        mag_range: MagnitudeRange | None = _UNSET,
        randomly_negate: bool | None = _UNSET,
        mag_to_param: Callable[[Any], Any] | None = _UNSET,
        param_device: str | None = _UNSET,
        name: str | None = _UNSET,
        augmentation_cls: type[Augmentation] | None = None,
    ) -> Augmentation:
        """The same operation with some of the settings changed; those that are left out stay."""
        changed = {
            "mag_range": mag_range, "randomly_negate": randomly_negate, "mag_to_param": mag_to_param,
            "param_device": param_device, "name": name,
        }  # fmt: skip
        settings = {**self._given, **{key: value for key, value in changed.items() if value is not _UNSET}}
        return (augmentation_cls or type(self))(self.op, **settings)  # type: ignore[arg-type]

    def table(self, bins: int, signed: bool, only: int | None = None) -> Array:
        """The parameters for all bins, or for one; signed ones are followed by those of the negated magnitude."""
        magnitudes = self._magnitudes(bins)
        if only is not None:
            if not 0 <= only < len(magnitudes):
                raise IndexError(f"bin {only} is out of bounds: `{self.name}` has {len(magnitudes)} magnitude bins")
            magnitudes = magnitudes[only : only + 1]
        try:
            return table(magnitudes, signed, self.mag_to_param)
        except ValueError as error:
            raise ValueError(f"The `mag_to_param` callback of `{self.name}` augmentation {error}") from None

    def check_magnitudes(self, magnitude_bin: Any, bins: int | None) -> None:
        """Refuses a call that does not tell which of the magnitudes is meant."""
        if magnitude_bin is None:
            raise ValueError(
                f"The augmentation `{self.name}` has `mag_range` specified, so when called, it requires "
                f"`magnitude_bin`. Error in augmentation: {self!r}."
            )
        if bins is None:
            raise ValueError(
                f"The `num_magnitude_bins` argument is missing in the call of the `{self.name}` augmentation. Please "
                f"specify it along with `magnitude_bin`. Error in augmentation: {self!r}."
            )
        check_bin(magnitude_bin.bin if isinstance(magnitude_bin, SignedBin) else magnitude_bin)

    def _parameter(self, data: Any, magnitude_bin: Bin | SignedBin | None, bins: int | None) -> Any:
        if self.mag_range is None:
            return None
        if bins is None and isinstance(self.mag_range, np.ndarray):
            bins = len(self.mag_range)
        self.check_magnitudes(magnitude_bin, bins)
        assert magnitude_bin is not None
        assert bins is not None
        if self.randomly_negate and not isinstance(magnitude_bin, SignedBin):
            warnings.warn(
                f"The augmentation `{self.name}` was declared with `random_negate=True`, but unsigned `magnitude_bin` "
                "was passed to the augmentation call. Signs are drawn for this call alone; `signed_bin(magnitude_bin)` "
                "before the batch is split draws them once for all augmentations.",
                stacklevel=3,
            )
            magnitude_bin = signed_bin(magnitude_bin, signs(data))
        own = magnitude_bin.bin if isinstance(magnitude_bin, SignedBin) else magnitude_bin
        rows = self.table(bins, self.randomly_negate, own if isinstance(own, int) else None)
        if self.randomly_negate:
            assert isinstance(magnitude_bin, SignedBin)
            return constant(data, row_of(rows, magnitude_bin.place))
        return constant(data, row_of(rows, 0 if isinstance(own, int) else own))

    def _magnitudes(self, bins: int) -> Array:
        """The magnitude of every bin."""
        if not isinstance(self.mag_range, np.ndarray):
            lowest, highest = self.mag_range  # type: ignore[misc]  # asked for only where there is a range
            return np.linspace(lowest, highest, bins)
        if len(self.mag_range) != bins:
            raise ValueError(
                f"The augmentation `{self.name}` has nd.array of length {len(self.mag_range)} specified as the "
                f"`mag_range`. However, the `num_magnitude_bins` passed to the call is {bins}."
            )
        return self.mag_range

    def _named_arguments(self) -> tuple[list[str], list[str]]:
        """What the operation takes besides samples and parameter: what it needs, and what it may be given."""
        kinds = inspect.Parameter
        signature = inspect.signature(self.op).parameters.values()
        positional = [each for each in signature if each.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
        if len(positional) < 2:
            raise TypeError(
                f"The {self.op!r} accepts {len(positional)} positional argument(s), but the functions decorated with "
                "`@augmentation` must accept at least two positional arguments: the samples and parameters."
            )
        named = [*positional[2:], *(each for each in signature if each.kind is kinds.KEYWORD_ONLY)]
        required = [each.name for each in named if each.default is kinds.empty]
        return required, [each.name for each in named if each.default is not kinds.empty]

    def __repr__(self) -> str:
        settings = [f"{name}={value!r}" for name, value in self._given.items() if value is not None]
        return f"Augmentation({', '.join([repr(self.op), *settings])})"


def forbid_unused(augmentations: Sequence[Augmentation], kwargs: Collection[str], call: str) -> None:
    """Refuses arguments that none of the augmentations takes."""
    unused = [name for name in kwargs if not any(name in each.accepted for each in augmentations)]
    if unused:
        named = ", ".join(f"`{name}`" for name in unused)
        raise UnusedArgException(
            f"The {call} got unexpected kwarg{'s' * (len(unused) > 1)}. The kwarg{'s' * (len(unused) > 1)} {named} "
            f"{'are' if len(unused) > 1 else 'is'} not used by any of the augmentations."
        )
