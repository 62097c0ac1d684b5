"""A warning about arrays that look like CHW images and are taken for HWC, since nobody said which they are."""

from __future__ import annotations

import warnings

from penstock._native import Samples
from penstock.engine.invocation import Invocation
from penstock.values.spec import Spec

# Images of 3 rows with more channels than this are not seen, and those with 3 channels have more rows and columns.
_MOST_CHANNELS = 16


class PlanarWarning:
    """Warns once, so that a loop is not slowed down by it."""

    __slots__ = ("pending",)

    def __init__(self) -> None:
        self.pending = True

    def look(self, call: Invocation, labelled: Spec) -> None:
        """Warns if the first input, which has no layout, is taken for HWC and has 3 rows and many channels."""
        samples = call.inputs[0] if call.inputs else None  # there are none yet where a pipeline is planned
        if not isinstance(samples, Samples) or not len(samples) or not (labelled.layout or "").endswith("HWC"):
            return
        shape = samples.shape(0)
        rows, columns, channels = shape[-3:]
        if rows != 3 or min(columns, channels) <= _MOST_CHANNELS:
            return
        self.pending = False
        planar = (labelled.layout or "").replace("HWC", "CHW")
        way_out = (
            f'ndd.tensor(array, layout="{planar}") says so'
            if planar in call.op.layouts
            else "ndd.transpose makes HWC of it"
        )
        warnings.warn_explicit(
            f"{call.op.name}() takes an array of shape {tuple(shape)} without a layout for {labelled.layout}: 3 rows "
            f"and {channels} channels. If it is {planar}, {way_out}",
            UserWarning,
            call.site.code.co_filename,
            call.site.line,
        )


planar_warning = PlanarWarning()
