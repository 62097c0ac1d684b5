"""The strength of the frequencies in signals."""

from __future__ import annotations

import numpy as np

from penstock import _native
from penstock.ops.audio.signals import Array, magnitudes, require_floats, require_power, require_transform
from penstock.schema import examples, operator
from penstock.values.spec import Spec


def _foretell(input: Spec, *, axis: int, nfft: int | None, power: int) -> Spec:
    require_floats(input, "Calling type does not match buffer data type")
    require_power(power)
    require_transform(nfft or 0)
    _counted(axis, input.ndim or 0)
    return input


def _counted(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise RuntimeError(f"axis {axis} is out of range for an input of {ndim} axes")
    return axis % ndim


@operator(infer=_foretell, runs_on="cpu")
def power_spectrum(input: Array, *, axis: int = -1, nfft: int | None = None, power: int = 2) -> Array:
    """Tells how strong each frequency is in signals along one axis.

        ndd.power_spectrum(audio, nfft=1024)

    The axis becomes nfft // 2 + 1 frequencies, from 0 to half the sample rate.

    Args:
        axis: The axis of time, counted from the end where negative.
        nfft: Length of the Fourier transform: longer signals are cut, shorter ones padded with zeros. The length of
            the axis by default, or where it is not positive.
        power: 2 for squared magnitudes, 1 for magnitudes.
    """
    signals = np.moveaxis(input, axis, -1)
    length = nfft if nfft and nfft > 0 else signals.shape[-1]
    if length == 0:
        raise RuntimeError("an axis of 0 elements has no spectrum")
    return np.moveaxis(magnitudes(signals, length, power), -1, axis)


@power_spectrum.native
def native(input: Spec, *, axis: int, nfft: int | None, power: int) -> _native.Step:
    return _native.PowerSpectrum(_counted(axis, input.ndim or 0), max(nfft or 0, 0), power == 1)


power_spectrum.examples = examples(
    "ndd.power_spectrum(sound)",
    "ndd.power_spectrum(sound, power=1)",
    "ndd.power_spectrum(sound, nfft=256)",
    "ndd.power_spectrum(power, axis=0)",
    within=0.0001,
)
