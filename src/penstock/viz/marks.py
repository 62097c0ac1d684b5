"""Boxes and masks drawn over pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.viz.palette import DARK, OVER_PHOTOS, rgb

Array = np.ndarray[Any, Any]

_MASK_SHARE = 0.45
_FONT_SIZES = 0.3, 0.46


class Marks(NamedTuple):
    """What is drawn over one picture.

    Boxes are left, top, right and bottom, as shares of width and height. `words` and `colours` are of the boxes, the
    latter as numbers of classes. Masks have a number for each pixel, 0 for what is not covered.
    """

    boxes: Array | None = None
    words: Sequence[str] = ()
    colours: Sequence[int] = ()
    masks: Sequence[Array] = ()

    @property
    def empty(self) -> bool:
        return self.boxes is None and not self.masks


def colour_of(number: int) -> tuple[int, int, int]:
    """The colour of a class or an object."""
    return rgb(OVER_PHOTOS[number % len(OVER_PHOTOS)])


def marked(picture: Array, marks: Marks) -> Array:
    """The picture with masks over it and boxes over those; the picture itself is left alone."""
    import cv2

    drawn = picture.copy()
    for mask in marks.masks:
        _cover(drawn, mask)
    if marks.boxes is None:
        return drawn
    height, width = drawn.shape[:2]
    thickness = 2 if min(height, width) >= 96 else 1
    corners = np.rint(marks.boxes * np.array([width, height, width, height])).astype(int)
    for place, (left, top, right, bottom) in enumerate(corners.tolist()):
        colour = colour_of(marks.colours[place] if place < len(marks.colours) else place)
        cv2.rectangle(drawn, (left, top), (right - 1, bottom - 1), colour, thickness)
    for place, (left, top, _, _) in enumerate(corners.tolist()):  # above all frames
        if place < len(marks.words):
            colour = colour_of(marks.colours[place] if place < len(marks.colours) else place)
            _word(drawn, marks.words[place], left, top, colour)
    return drawn


def _cover(drawn: Array, mask: Array) -> None:
    import cv2

    height, width = drawn.shape[:2]
    numbers = cv2.resize(mask.astype(np.int32).astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
    for number in np.unique(numbers).astype(int).tolist():
        if number:
            covered = numbers == number
            drawn[covered] = drawn[covered] * (1 - _MASK_SHARE) + np.array(colour_of(number - 1)) * _MASK_SHARE
            outline, _ = cv2.findContours(covered.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            cv2.drawContours(drawn, outline, -1, colour_of(number - 1), 1, cv2.LINE_AA)


def _word(drawn: Array, word: str, left: int, top: int, colour: tuple[int, int, int]) -> None:
    """Dark on a flag of the box's colour, which stands on the box or, at the upper edge, inside of it."""
    import cv2

    size = float(np.clip(min(drawn.shape[:2]) / 400, *_FONT_SIZES))
    (width, height), below = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    tall = height + below + 2
    left = max(0, min(left, drawn.shape[1] - width - 6))
    top = top - tall if top >= tall else max(top, 0)
    cv2.rectangle(drawn, (left, top), (left + width + 5, top + tall), colour, cv2.FILLED)
    place = (left + 3, top + height + 2)
    cv2.putText(drawn, word, place, cv2.FONT_HERSHEY_SIMPLEX, size, rgb(DARK.paper), 1, cv2.LINE_AA)
