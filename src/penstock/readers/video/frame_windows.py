"""Which frames each sequence consists of: windows that slide over the frames of a clip or a folder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from penstock.readers.core.order import Indices
from penstock.video.frame_selection import PadMode, padded


@dataclass(frozen=True)
class Windows:
    """Sliding windows: `length` frames, every `stride`-th, and `step` frames from one window to the next.

    A window is complete if `span` frames are left. With a `pad_mode`, an incomplete one at the end is padded.
    """

    length: int
    stride: int
    step: int
    span: int
    pad_mode: PadMode = "none"
    uniform: bool = False

    def count(self, starts: Indices, stops: Indices) -> Indices:
        """The number of windows in each stretch of frames; stops are exclusive."""
        frames = stops - starts
        if self.uniform:
            return (frames > 0).astype(np.int64)
        complete: Indices = np.maximum(0, (frames - self.span) // self.step + 1)
        return complete if self.pad_mode == "none" else complete + (complete * self.step < frames)

    def frames(self, starts: Indices, stops: Indices, numbers: Indices) -> Indices:
        """A row of frame numbers for one window of each stretch, given the window's number; `FILL` for padding."""
        places = np.arange(self.length)
        if self.uniform:
            gaps, last = max(self.length - 1, 1), (stops - starts - 1)[:, None]
            spread: Indices = (2 * places * last + gaps) // (2 * gaps)  # halves are rounded up
            return starts[:, None] + spread
        wanted: Indices = (starts + numbers * self.step)[:, None] + places * self.stride
        for row, stop in enumerate(stops.tolist()):  # reflection may reach back before the clip
            wanted[row] = padded(wanted[row], stop, self.pad_mode)
        return wanted


class Sequences:
    """All windows of some stretches of frames, numbered consecutively; computed on demand, never listed."""

    def __init__(self, windows: Windows, starts: Indices, stops: Indices) -> None:
        self._windows, self._starts, self._stops = windows, starts, stops
        self._ends = np.cumsum(windows.count(starts, stops))

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def last_of(self, stretch: int) -> int | None:
        """The number of the last window of a stretch, or None if it has none."""
        before = int(self._ends[stretch - 1]) if stretch else 0
        return int(self._ends[stretch]) - 1 if self._ends[stretch] > before else None

    def locate(self, indices: Indices) -> tuple[Indices, Indices]:
        """The stretch of each window, and its frames."""
        stretches = np.searchsorted(self._ends, indices, side="right")
        before = np.where(stretches > 0, self._ends[stretches - 1], 0)
        frames = self._windows.frames(self._starts[stretches], self._stops[stretches], indices - before)
        return stretches, frames
